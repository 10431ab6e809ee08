-- The rows that prisma/functions take and return, as libs/ledger/row-types.ts describes them.

CREATE TYPE row_key AS (
  account_id bigint,
  id bigint);

CREATE TYPE wanted_wager AS (
  account_id bigint,
  id bigint,
  reference text,
  may_create boolean);

CREATE TYPE wanted_user AS (
  account_id bigint,
  id bigint,
  reference text,
  wager_id bigint,
  wager_reference text,
  bet_id bigint);

CREATE TYPE wanted_offers AS (
  account_id bigint,
  wager_reference text,
  is_own boolean,
  user_id bigint,
  user_reference text,
  minimum_odds bigint,
  maximum_odds bigint,
  bound int,
  amount bigint);

CREATE TYPE wanted_pending AS (
  account_id bigint,
  wager_id bigint,
  wager_reference text,
  outcome text,
  void_from timestamptz,
  bound int);

CREATE TYPE wanted_position AS (
  account_id bigint,
  user_id bigint,
  wager_id bigint);

CREATE TYPE wanted_name AS (
  account_id bigint,
  name text);

CREATE TYPE result_row AS (
  kind text,
  number int,
  fields text);

CREATE TYPE loaded_account AS (
  account_id bigint,
  allow_negative_balance boolean,
  decimals smallint,
  now bigint,
  bets_left bigint);

CREATE TYPE wager_row AS (
  account_id bigint,
  id bigint,
  reference text,
  outcome text,
  forced_by jsonb,
  status text,
  status_reason text,
  closes_at timestamptz,
  event text,
  starts_at timestamptz,
  revision int,
  has_suspendable boolean,
  has_expiring boolean,
  settling_since timestamptz,
  pending_cancels jsonb,
  settled_up_to bigint,
  void_from timestamptz,
  created_at timestamptz,
  updated_at timestamptz);

CREATE TYPE stored_wager AS (
  account_id bigint,
  id bigint,
  reference text,
  bet_id bigint);

CREATE TYPE free_name AS (
  account_id bigint,
  wager_id bigint,
  reference text);

CREATE TYPE claimed_key AS (
  account_id bigint,
  key text,
  request_hash text,
  status smallint,
  body text,
  error_code text,
  error_operation text);

CREATE TYPE claimed_reference AS (
  account_id bigint,
  name text,
  is_taken boolean);

CREATE TYPE bet_row AS (
  account_id bigint,
  id bigint,
  wager_id bigint,
  requesting_user_id bigint,
  requesting_odds bigint,
  requesting_amount bigint,
  queue_place bigint,
  allowed_acceptor_ids bigint[],
  expires_at timestamptz,
  cancel_on_suspend boolean,
  offer_status text,
  accepting_user_id bigint,
  effective_odds bigint,
  effective_amount bigint,
  override_outcome text,
  settled_outcome text,
  is_active boolean,
  spared_up_to bigint,
  accepted_at timestamptz,
  timed_out boolean);

CREATE TYPE loaded_bet AS (
  kind text,
  number int,
  bet bet_row);

CREATE TYPE written_bet AS (
  account_id bigint,
  id bigint,
  wager_id bigint,
  requesting_user_id bigint,
  requesting_odds bigint,
  requesting_amount bigint,
  queue_place bigint,
  allowed_acceptor_ids bigint[],
  expires_at timestamptz,
  cancel_on_suspend boolean,
  offer_status text,
  accepting_user_id bigint,
  effective_odds bigint,
  effective_amount bigint,
  override_outcome text,
  settled_outcome text,
  is_active boolean,
  spared_up_to bigint,
  accepted_at timestamptz,
  timed_out boolean,
  meta jsonb);

CREATE TYPE changed_bet AS (
  account_id bigint,
  id bigint,
  offer_status text,
  accepting_user_id bigint,
  effective_odds bigint,
  effective_amount bigint,
  override_outcome text,
  settled_outcome text,
  is_active boolean,
  spared_up_to bigint,
  accepted_at timestamptz,
  timed_out boolean);

CREATE TYPE loaded_user AS (
  account_id bigint,
  id bigint,
  reference text,
  balance bigint,
  exposure bigint,
  is_disputed boolean,
  allow_negative_balance boolean);

CREATE TYPE moved_user AS (
  account_id bigint,
  id bigint,
  balance bigint,
  exposure bigint);

CREATE TYPE user_name AS (
  account_id bigint,
  id bigint,
  reference text);

CREATE TYPE position_row AS (
  account_id bigint,
  user_id bigint,
  wager_id bigint,
  win bigint,
  loss bigint,
  offered bigint);

CREATE TYPE lone_offer AS (
  account_id bigint,
  user_id bigint,
  wager_id bigint,
  offered bigint);

CREATE TYPE written_trail AS (
  account_id bigint,
  bet_id bigint,
  wager_id bigint,
  offer_status text,
  description text,
  outcome text,
  override_outcome text,
  requesting_odds bigint,
  requesting_amount bigint,
  effective_odds bigint,
  effective_amount bigint,
  first_transaction int,
  last_transaction int);

CREATE TYPE written_transaction AS (
  account_id bigint,
  number int,
  user_id bigint,
  amount bigint,
  description text,
  transaction_type text,
  transaction_source text,
  trail_number int,
  balance_after bigint,
  own_reference text,
  meta jsonb);

CREATE TYPE settled_bet AS (
  account_id bigint,
  number int,
  id bigint,
  outcome text,
  movement bigint,
  description text,
  requester_balance bigint,
  acceptor_balance bigint);

CREATE TYPE moved_total AS (
  account_id bigint,
  bets bigint,
  open_bets bigint,
  open_amount numeric,
  transactions bigint);

CREATE TYPE counted_match AS (
  account_id bigint,
  wager_id bigint,
  bets bigint,
  amount numeric,
  last_bet_id bigint);

CREATE TYPE written_entry AS (
  account_id bigint,
  topic text,
  payload jsonb);

CREATE TYPE stored_entry AS (
  id bigint,
  created_at timestamptz);

CREATE TYPE stored_movement AS (
  id bigint,
  created_at timestamptz);

CREATE TYPE drawn_ids AS (
  ids bigint[]);

CREATE TYPE written_answer AS (
  account_id bigint,
  key text,
  request_hash text,
  status smallint,
  body text,
  error_code text,
  error_operation text);

CREATE TYPE logged_group AS (
  account_id bigint,
  kinds smallint[],
  refs bigint[],
  drawn int[],
  operations text,
  extras jsonb,
  run_id uuid,
  decimals smallint);
