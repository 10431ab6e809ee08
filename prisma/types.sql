-- The rows that the functions of prisma/functions take and return. NULL stands for a kind of which a group has nothing.

-- The ledger reads a group of tasks by one function and writes it by another. Their parameters are arrays of these types,
-- and NULL stands for a kind of which the group has nothing.
CREATE TYPE wanted_wager AS (account_id bigint, id bigint, reference text, may_create boolean);
-- A user by id or reference, and perhaps the wager of a position, by id, by reference or by one of its bets.
CREATE TYPE wanted_user AS (
  account_id bigint, id bigint, reference text, wager_id bigint, wager_reference text, bet_id bigint);
CREATE TYPE wanted_position AS (account_id bigint, user_id bigint, wager_id bigint);
CREATE TYPE wanted_bet AS (account_id bigint, id bigint);
CREATE TYPE wanted_name AS (account_id bigint, name text);
-- The first open offers of a wager: all (`user_id` and `user_reference` NULL) by odds, or those of one user by age.
CREATE TYPE wanted_offers AS (
  account_id bigint, wager_reference text, is_own boolean, user_id bigint, user_reference text, minimum_odds bigint,
  maximum_odds bigint, bound int, amount bigint);
CREATE TYPE wanted_pending AS (account_id bigint, wager_id bigint, wager_reference text, outcome text, bound int);
-- One row of any kind: the columns that a kind does not have are NULL. libs/ledger/load/loaded-rows.ts names them.
CREATE TYPE loaded_row AS (
  kind text, account_id bigint, id bigint, wager_id bigint, user_id bigint, other_user_id bigint, place bigint,
  a bigint, b bigint, c bigint, d bigint, flag boolean, text_1 text, text_2 text, text_3 text, text_4 text);
CREATE TYPE written_wager AS (
  account_id bigint, id bigint, reference text, outcome text, forced_by jsonb, is_settling boolean, pending_cancels jsonb);
CREATE TYPE written_bet AS (
  account_id bigint, id bigint, wager_id bigint, requesting_user_id bigint, requesting_odds bigint,
  requesting_amount bigint, queue_place bigint, allowed_acceptor_ids bigint[], meta jsonb, offer_status text,
  accepting_user_id bigint, effective_odds bigint, effective_amount bigint, override_outcome text, settled_outcome text,
  is_active boolean);
CREATE TYPE changed_bet AS (
  account_id bigint, id bigint, offer_status text, accepting_user_id bigint, effective_odds bigint,
  effective_amount bigint, override_outcome text, settled_outcome text, is_active boolean);
CREATE TYPE moved_balance AS (account_id bigint, user_id bigint, balance bigint, exposure bigint);
CREATE TYPE moved_position AS (
  account_id bigint, user_id bigint, wager_id bigint, win bigint, loss bigint, offered bigint);
CREATE TYPE written_trail AS (
  account_id bigint, bet_id bigint, wager_id bigint, offer_status text, description text, outcome text,
  override_outcome text, requesting_odds bigint, requesting_amount bigint, effective_odds bigint, effective_amount bigint);
-- `trail_place`: where its trail entry stands among those of the same call, from 1.
CREATE TYPE written_transaction AS (
  account_id bigint, user_id bigint, reference text, amount bigint, description text, transaction_type text,
  transaction_source text, trail_place int, balance_after bigint, place int);
CREATE TYPE moved_total AS (
  account_id bigint, bets bigint, open_bets bigint, open_amount numeric, transactions bigint);
CREATE TYPE written_answer AS (account_id bigint, key text, request_hash text, status smallint, body text);
CREATE TYPE written_entry AS (account_id bigint, topic text, payload jsonb);
CREATE TYPE written_row AS (kind text, place int, id bigint, reference text, created_at timestamptz);
-- A bet that its wager's outcome settles: it gets one trail entry, and its parties a pair of transactions.
CREATE TYPE settled_bet AS (
  account_id bigint, id bigint, outcome text, movement bigint, description text, reference text, requester_balance bigint,
  acceptor_balance bigint, place int);
-- The matches of a group on one wager, which the group has locked.
CREATE TYPE counted_match AS (account_id bigint, wager_id bigint, bets bigint, amount numeric, last_bet_id bigint);
-- The events of one account in one transaction. A ref below zero is a place, counted back from -1, among the ids that the same
-- call has drawn.
CREATE TYPE logged_group AS (account_id bigint, kinds smallint[], refs bigint[], operations text, extras jsonb, run_id uuid);
CREATE TYPE spared_offer AS (account_id bigint, id bigint, up_to bigint);
