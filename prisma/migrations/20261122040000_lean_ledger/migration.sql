-- DropForeignKey
ALTER TABLE "bet_trails" DROP CONSTRAINT "bet_trails_account_id_bet_id_fkey";

-- DropForeignKey
ALTER TABLE "bets" DROP CONSTRAINT "bets_account_id_accepting_user_id_fkey";

-- DropForeignKey
ALTER TABLE "bets" DROP CONSTRAINT "bets_account_id_requesting_user_id_fkey";

-- DropForeignKey
ALTER TABLE "bets" DROP CONSTRAINT "bets_account_id_wager_id_fkey";

-- DropForeignKey
ALTER TABLE "positions" DROP CONSTRAINT "positions_account_id_user_id_fkey";

-- DropForeignKey
ALTER TABLE "positions" DROP CONSTRAINT "positions_account_id_wager_id_fkey";

-- DropForeignKey
ALTER TABLE "transactions" DROP CONSTRAINT "transactions_account_id_bet_trail_id_fkey";

-- DropForeignKey
ALTER TABLE "transactions" DROP CONSTRAINT "transactions_account_id_user_id_fkey";

-- DropIndex
DROP INDEX "balances_account_id_balance_user_id_idx";

-- DropIndex
DROP INDEX "balances_account_id_exposure_user_id_idx";

-- DropIndex
DROP INDEX "bets_account_id_accepting_user_id_id_idx";

-- DropIndex
DROP INDEX "bets_account_id_created_at_id_idx";

-- DropIndex
DROP INDEX "bets_account_id_requesting_user_id_id_idx";

-- DropIndex
DROP INDEX "bets_state_idx";

-- DropIndex
DROP INDEX "positions_account_id_wager_id_user_id_idx";

-- DropIndex
DROP INDEX "transactions_account_id_bet_trail_id_idx";

-- What schema.prisma cannot say stands below. docs/decisions/0023 says which request or guarantee needs each index.

-- Nothing that money refers to is ever deleted or gets another key. With that, and with the audit, the foreign keys above
-- only repeated what the writing transaction has read under its locks.
CREATE FUNCTION refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % stay, with their keys: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER users_stay BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, id ON users
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();
CREATE TRIGGER wagers_stay BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, id ON wagers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();
CREATE TRIGGER bets_stay BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id, id ON bets
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();

-- An open offer is in three indexes beside its key; every other bet is in up to four others. So an offer pays for none of
-- the indexes of matched bets, and a settled bet for none of those of open offers.
DROP INDEX bets_open_idx, bets_open_odds_idx, bets_open_amount_idx, bets_effective_odds_idx, bets_effective_amount_idx,
  bets_unsettled_requester_idx, bets_unsettled_acceptor_idx;
CREATE INDEX bets_open_idx ON bets (account_id, created_at, id) INCLUDE (requesting_odds, requesting_amount)
  WHERE offer_status = 'requesting' AND is_active;
CREATE INDEX bets_closed_idx ON bets (account_id, created_at, id) INCLUDE (effective_odds, effective_amount)
  WHERE NOT (offer_status = 'requesting' AND is_active);
CREATE INDEX bets_state_idx ON bets (account_id, wager_id, offer_status, settled_outcome, id)
  WHERE NOT (offer_status = 'requesting' AND is_active);
CREATE INDEX bets_requester_idx ON bets (account_id, requesting_user_id, settled_outcome)
  WHERE NOT (offer_status = 'requesting' AND is_active);
CREATE INDEX bets_acceptor_idx ON bets (account_id, accepting_user_id, settled_outcome)
  WHERE accepting_user_id IS NOT NULL;
CREATE INDEX transactions_trail_idx ON transactions (account_id, bet_trail_id) WHERE bet_trail_id IS NOT NULL;

-- Lists that sort by odds or amount read these columns from the index alone, which needs a fresh visibility map.
ALTER TABLE bets SET (autovacuum_vacuum_insert_scale_factor = 0.05);
-- No index holds what moves in these rows, so an update stays on its page as long as there is room.
ALTER TABLE balances SET (fillfactor = 50);
ALTER TABLE positions SET (fillfactor = 70);

-- The statement that writes the rows adds to the totals: it knows the differences.
DROP TRIGGER bets_total_inserted ON bets;
DROP TRIGGER bets_total_updated ON bets;
DROP TRIGGER transactions_total ON transactions;
DROP FUNCTION total_inserted_bets();
DROP FUNCTION total_updated_bets();
DROP FUNCTION total_inserted_transactions();

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
  maximum_odds bigint, bound int);
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
  transaction_source text, trail_place int);
CREATE TYPE moved_total AS (
  account_id bigint, bets bigint, open_bets bigint, open_amount numeric, transactions bigint);
CREATE TYPE written_answer AS (account_id bigint, key text, request_hash text, status smallint, body text);
CREATE TYPE written_entry AS (account_id bigint, topic text, payload jsonb);
CREATE TYPE written_row AS (kind text, place int, id bigint, reference text, created_at timestamptz);
-- A bet that its wager's outcome settles: it gets one trail entry, and its parties a pair of transactions.
CREATE TYPE settled_bet AS (account_id bigint, id bigint, outcome text, movement bigint, description text, reference text);

-- Claims the names until the end of the transaction. Returns those that it got; when it waits, that is all of them.
CREATE FUNCTION claim_names(p_waits boolean, p_seed bigint, p_names wanted_name[]) RETURNS wanted_name[]
LANGUAGE plpgsql AS $$
DECLARE
  claimed wanted_name[];
BEGIN
  IF p_waits THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(n.account_id || ' ' || n.name, p_seed))
       FROM (SELECT DISTINCT account_id, name FROM unnest(p_names) ORDER BY account_id, name OFFSET 0) AS n;
  END IF;
  SELECT array_agg(ROW(n.account_id, n.name)::wanted_name) INTO claimed
    FROM (SELECT DISTINCT account_id, name FROM unnest(p_names) ORDER BY account_id, name OFFSET 0) AS n
   WHERE pg_try_advisory_xact_lock(hashtextextended(n.account_id || ' ' || n.name, p_seed));
  RETURN claimed;
END $$;

-- The first locks of a group: its wagers. While one is locked, its offers and positions cannot change. A wager that another
-- transaction holds is passed over; `stored wager` names it nevertheless, so that its tasks are set aside.
CREATE FUNCTION lock_wagers(p_waits boolean, p_wagers wanted_wager[], p_bets wanted_bet[]) RETURNS SETOF loaded_row
LANGUAGE plpgsql AS $$
DECLARE
  locked bigint;
  free wanted_name[];
BEGIN
  IF p_waits THEN
    PERFORM FROM wagers w
      WHERE (w.account_id, w.id) IN (
        SELECT n.account_id, n.id FROM unnest(p_wagers) n WHERE n.id IS NOT NULL
        UNION SELECT n.account_id, s.id FROM unnest(p_wagers) n
                JOIN wagers s ON s.account_id = n.account_id AND s.reference = n.reference
        UNION SELECT n.account_id, b.wager_id FROM unnest(p_bets) n
                JOIN bets b ON b.account_id = n.account_id AND b.id = n.id)
      ORDER BY w.account_id, w.id FOR NO KEY UPDATE;
  END IF;
  RETURN QUERY
    SELECT 'wager', w.account_id, w.id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
           NULL::bigint, NULL::bigint, NULL::bigint, w.settling_since IS NOT NULL, w.reference, w.outcome,
           w.forced_by::text, w.pending_cancels::text
      FROM unnest(p_wagers) n JOIN wagers w ON w.account_id = n.account_id AND w.reference = n.reference
       FOR NO KEY UPDATE OF w SKIP LOCKED;
  GET DIAGNOSTICS locked = ROW_COUNT;
  IF p_bets IS NOT NULL OR locked < cardinality(p_wagers) THEN
    RETURN QUERY
      SELECT 'wager', w.account_id, w.id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
             NULL::bigint, NULL::bigint, NULL::bigint, w.settling_since IS NOT NULL, w.reference, w.outcome,
             w.forced_by::text, w.pending_cancels::text
        FROM wagers w
       WHERE (w.account_id, w.id) IN (
               SELECT n.account_id, n.id FROM unnest(p_wagers) n WHERE n.id IS NOT NULL
               UNION SELECT n.account_id, b.wager_id FROM unnest(p_bets) n
                       JOIN bets b ON b.account_id = n.account_id AND b.id = n.id)
         FOR NO KEY UPDATE OF w SKIP LOCKED;
    RETURN QUERY
      SELECT 'stored wager', w.account_id, w.id, NULL::bigint, NULL::bigint, NULL::bigint, n.bet_id, NULL::bigint,
             NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, w.reference, NULL, NULL, NULL
        FROM (SELECT account_id, id, NULL::bigint AS bet_id FROM unnest(p_wagers) WHERE id IS NOT NULL
              UNION ALL SELECT g.account_id, s.id, NULL FROM unnest(p_wagers) g
                          JOIN wagers s ON s.account_id = g.account_id AND s.reference = g.reference
              UNION ALL SELECT g.account_id, b.wager_id, b.id FROM unnest(p_bets) g
                          JOIN bets b ON b.account_id = g.account_id AND b.id = g.id) n
        JOIN wagers w ON w.account_id = n.account_id AND w.id = n.id;
    SELECT array_agg(ROW(n.account_id, n.reference)::wanted_name) INTO free
      FROM unnest(p_wagers) n
     WHERE n.may_create
       AND NOT EXISTS (SELECT FROM wagers w WHERE w.account_id = n.account_id AND w.reference = n.reference);
    IF free IS NOT NULL THEN
      free := claim_names(p_waits, 7266004, free);
      -- A newer snapshot: another transaction may have stored a name just before it was claimed.
      RETURN QUERY
        SELECT 'free name', n.account_id, nextval('wagers_id_seq'), NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
               NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, n.name, NULL, NULL, NULL
          FROM unnest(free) n
         WHERE NOT EXISTS (SELECT FROM wagers w WHERE w.account_id = n.account_id AND w.reference = n.name);
    END IF;
  END IF;
END $$;

-- Bets by id, the first open offers of wagers, and pending bets. `place`: the item of `p_offers` or `p_pending` that the
-- row belongs to, from 1. Offers that a pending cancel names are not told apart here: such a wager's offers are loaded when
-- they are asked for.
CREATE FUNCTION load_bets(p_bets wanted_bet[], p_offers wanted_offers[], p_pending wanted_pending[])
RETURNS SETOF loaded_row LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT n.kind, (n.bet).account_id, (n.bet).id, (n.bet).wager_id, (n.bet).requesting_user_id,
         (n.bet).accepting_user_id, n.place, (n.bet).requesting_odds, (n.bet).requesting_amount,
         (n.bet).effective_odds, (n.bet).effective_amount, (n.bet).is_active, (n.bet).offer_status,
         (n.bet).override_outcome, (n.bet).settled_outcome,
         concat_ws(' ', (n.bet).queue_place, nullif(array_to_string((n.bet).allowed_acceptor_ids, ' '), ''))
    FROM (
      SELECT 'bet' AS kind, NULL::bigint AS place, b AS bet
        FROM unnest(p_bets) g JOIN bets b ON b.account_id = g.account_id AND b.id = g.id
      UNION ALL
      SELECT 'offer', g.place, o.bet
        FROM unnest(p_offers) WITH ORDINALITY
             AS g (account_id, wager_reference, is_own, user_id, user_reference, minimum_odds, maximum_odds, bound, place)
        JOIN wagers w ON w.account_id = g.account_id AND w.reference = g.wager_reference AND w.pending_cancels IS NULL
       CROSS JOIN LATERAL (
         SELECT b AS bet FROM bets b
          WHERE b.account_id = w.account_id AND b.wager_id = w.id AND b.requesting_odds <= g.maximum_odds
            AND b.offer_status = 'requesting' AND b.is_active
          ORDER BY b.requesting_odds, b.queue_place, b.id LIMIT g.bound) o
       WHERE NOT g.is_own
      UNION ALL
      SELECT 'offer', g.place, o.bet
        FROM unnest(p_offers) WITH ORDINALITY
             AS g (account_id, wager_reference, is_own, user_id, user_reference, minimum_odds, maximum_odds, bound, place)
        JOIN wagers w ON w.account_id = g.account_id AND w.reference = g.wager_reference AND w.pending_cancels IS NULL
       CROSS JOIN LATERAL (
         SELECT b AS bet FROM bets b
          WHERE b.account_id = w.account_id AND b.wager_id = w.id
            AND b.requesting_user_id = coalesce(g.user_id,
                  (SELECT u.id FROM users u WHERE u.account_id = g.account_id AND u.reference = g.user_reference))
            AND b.offer_status = 'requesting' AND b.is_active
            AND (g.minimum_odds IS NULL OR b.requesting_odds >= g.minimum_odds)
            AND (g.maximum_odds IS NULL OR b.requesting_odds <= g.maximum_odds)
          ORDER BY b.queue_place, b.id LIMIT g.bound) o
       WHERE g.is_own
      UNION ALL
      -- The core's `isPending`, part by part, so that an index leads past the bets that are settled already: offers, then
      -- bets never settled, then bets settled by another outcome. A bet with an override is never pending.
      SELECT 'pending', g.place, o.bet
        FROM (SELECT n.place, n.bound, w.account_id, w.id, coalesce(n.outcome, w.outcome) AS outcome
                FROM unnest(p_pending) WITH ORDINALITY
                     AS n (account_id, wager_id, wager_reference, outcome, bound, place)
                JOIN wagers w ON w.account_id = n.account_id AND w.id = coalesce(n.wager_id, (
                       SELECT r.id FROM wagers r WHERE r.account_id = n.account_id AND r.reference = n.wager_reference))) g
       CROSS JOIN LATERAL (
         SELECT pending.bet FROM (
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id AND b.offer_status = 'requesting' AND b.is_active
               AND g.outcome <> 'undecided' LIMIT g.bound)
           UNION ALL
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active)
               AND b.offer_status = CASE WHEN g.outcome = 'undecided' THEN 'expired' ELSE 'requesting' END
               AND b.settled_outcome IS NULL AND b.effective_amount IS NULL
               AND (g.outcome <> 'undecided' OR coalesce(b.override_outcome, 'undecided') = 'undecided')
             ORDER BY b.settled_outcome, b.id LIMIT g.bound)
           UNION ALL
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'accepted'
               AND b.settled_outcome IS NULL AND b.override_outcome IS NULL AND b.is_active
               AND g.outcome <> 'undecided'
             ORDER BY b.settled_outcome, b.id LIMIT g.bound)
           UNION ALL
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'accepted'
               AND b.settled_outcome < g.outcome AND b.override_outcome IS NULL
             ORDER BY b.settled_outcome, b.id LIMIT g.bound)
           UNION ALL
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'accepted'
               AND b.settled_outcome > g.outcome AND b.override_outcome IS NULL
             ORDER BY b.settled_outcome, b.id LIMIT g.bound)
         ) AS pending LIMIT g.bound) o) AS n;
END $$;

-- The second locks: the balances of users, each with the positions that are wanted. Positions need no lock of their own,
-- because every transaction that moves one holds its wager. When another transaction holds a balance, `known user` names all
-- that were wanted.
CREATE FUNCTION lock_users(p_waits boolean, p_positions wanted_position[]) RETURNS SETOF loaded_row LANGUAGE plpgsql AS $$
DECLARE
  wanted wanted_bet[];
  locked bigint;
BEGIN
  SELECT array_agg(ROW(n.account_id, n.user_id)::wanted_bet) INTO wanted
    FROM (SELECT DISTINCT account_id, user_id FROM unnest(p_positions) ORDER BY account_id, user_id) n;
  IF p_waits THEN
    PERFORM FROM balances b
      WHERE (b.account_id, b.user_id) IN (SELECT n.account_id, n.id FROM unnest(wanted) n)
      ORDER BY b.account_id, b.user_id FOR NO KEY UPDATE;
  END IF;
  RETURN QUERY
    SELECT 'user', b.account_id, b.user_id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, b.balance, b.exposure,
           NULL::bigint, NULL::bigint, u.preferences ->> 'allow_negative_balance' = 'true', u.reference, NULL::text,
           NULL::text, NULL::text
      FROM unnest(wanted) n
      JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
      JOIN users u ON u.account_id = n.account_id AND u.id = n.id
       FOR NO KEY UPDATE OF b SKIP LOCKED;
  GET DIAGNOSTICS locked = ROW_COUNT;
  IF locked < cardinality(wanted) THEN
    RETURN QUERY
      SELECT 'known user', u.account_id, u.id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
             NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, u.reference, NULL, NULL, NULL
        FROM unnest(wanted) n
        JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
        JOIN users u ON u.account_id = n.account_id AND u.id = n.id;
  END IF;
  RETURN QUERY
    SELECT 'position', p.account_id, NULL::bigint, p.wager_id, p.user_id, NULL::bigint, NULL::bigint, p.win, p.loss, p.offered,
           NULL::bigint, NULL::boolean, NULL, NULL, NULL, NULL
      FROM unnest(p_positions) n
      JOIN positions p ON p.account_id = n.account_id AND p.user_id = n.user_id AND p.wager_id = n.wager_id;
END $$;

-- Locks and reads everything that a group of tasks needs, in one call. Each statement in it has a snapshot of its own, so
-- what is read after a lock is what the lock protects. The order of the locks is the same everywhere: wagers, then balances.
-- The settings make plans of key look-ups, once for each connection, whatever the statistics say of a young database.
CREATE FUNCTION load_group(
  p_waits boolean, p_accounts bigint[] = NULL, p_wagers wanted_wager[] = NULL, p_bets wanted_bet[] = NULL,
  p_offers wanted_offers[] = NULL, p_pending wanted_pending[] = NULL, p_users wanted_user[] = NULL,
  p_named wanted_user[] = NULL, p_keys wanted_name[] = NULL, p_new_bets int = 0)
RETURNS SETOF loaded_row LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off AS $$
DECLARE
  claimed wanted_name[];
  bets_read loaded_row[];
  positions_wanted wanted_position[];
BEGIN
  RETURN QUERY
    SELECT 'account', a.id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
           NULL::bigint, NULL::bigint, a.preferences ->> 'allow_negative_balance' = 'true', NULL::text, NULL::text,
           NULL::text, NULL::text
      FROM accounts a WHERE a.id = ANY (p_accounts);
  IF p_wagers IS NOT NULL OR p_bets IS NOT NULL THEN
    RETURN QUERY SELECT * FROM lock_wagers(p_waits, p_wagers, p_bets);
  END IF;
  IF p_keys IS NOT NULL THEN
    claimed := claim_names(p_waits, 7266003, p_keys);
    RETURN QUERY
      SELECT 'claimed key', n.account_id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, s.status::bigint,
             NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, n.name, s.request_hash, s.body, NULL
        FROM unnest(claimed) n
        LEFT JOIN stored_answers s ON s.account_id = n.account_id AND s.key = n.name;
  END IF;
  IF p_bets IS NOT NULL OR p_offers IS NOT NULL OR p_pending IS NOT NULL THEN
    SELECT array_agg(loaded) INTO bets_read FROM load_bets(p_bets, p_offers, p_pending) loaded;
    RETURN QUERY SELECT * FROM unnest(bets_read);
  END IF;
  IF p_users IS NOT NULL OR bets_read IS NOT NULL THEN
    SELECT array_agg(ROW(n.account_id, n.user_id, n.wager_id)::wanted_position) INTO positions_wanted
      FROM (SELECT DISTINCT wanted.* FROM (
              SELECT n.account_id, coalesce(n.id, u.id) AS user_id, coalesce(n.wager_id, w.id, b.wager_id) AS wager_id
                FROM unnest(p_users) n
                LEFT JOIN users u ON u.account_id = n.account_id AND u.reference = n.reference AND n.id IS NULL
                LEFT JOIN wagers w ON w.account_id = n.account_id AND w.reference = n.wager_reference
                LEFT JOIN bets b ON b.account_id = n.account_id AND b.id = n.bet_id
              UNION ALL
              SELECT account_id, user_id, wager_id FROM unnest(bets_read)
              UNION ALL
              SELECT account_id, other_user_id, wager_id FROM unnest(bets_read)) wanted
             WHERE wanted.user_id IS NOT NULL) n;
    IF positions_wanted IS NOT NULL THEN
      RETURN QUERY SELECT * FROM lock_users(p_waits, positions_wanted);
    END IF;
  END IF;
  IF p_named IS NOT NULL THEN
    RETURN QUERY
      SELECT 'named user', u.account_id, u.id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
             NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, u.reference, NULL, NULL, NULL
        FROM unnest(p_named) n
        JOIN users u ON u.account_id = n.account_id
                    AND u.id = coalesce(n.id, (SELECT r.id FROM users r
                                                WHERE r.account_id = n.account_id AND r.reference = n.reference));
  END IF;
  IF p_new_bets > 0 THEN
    -- The wagers are locked by now, so a later offer of a wager has a higher id.
    RETURN QUERY
      SELECT 'bet ids', NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
             NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, string_agg(nextval('bets_id_seq')::text, ' '), NULL,
             NULL, NULL
        FROM generate_series(1, p_new_bets);
  END IF;
END $$;

-- Writes everything that a group of tasks decided, in one call. Returns the rows whose ids and times the caller needs:
-- money in or out (`moved`, by reference), and outbox entries (`entry`, by place). A settled bet's trail entry and
-- transactions follow from the bet; their references are the given one with A or B behind it.
CREATE FUNCTION write_group(
  p_new_wagers written_wager[] = NULL, p_wagers written_wager[] = NULL, p_new_bets written_bet[] = NULL,
  p_bets changed_bet[] = NULL, p_balances moved_balance[] = NULL, p_positions moved_position[] = NULL,
  p_trails written_trail[] = NULL, p_transactions written_transaction[] = NULL, p_settled settled_bet[] = NULL,
  p_totals moved_total[] = NULL, p_answers written_answer[] = NULL, p_entries written_entry[] = NULL)
RETURNS SETOF written_row LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off AS $$
DECLARE
  trail_ids bigint[];
  own_shard int;
BEGIN
  IF p_new_wagers IS NOT NULL THEN
    INSERT INTO wagers (account_id, id, reference, outcome, forced_by, settling_since, pending_cancels)
    SELECT n.account_id, n.id, n.reference, n.outcome, n.forced_by, CASE WHEN n.is_settling THEN now() END,
           n.pending_cancels
      FROM unnest(p_new_wagers) n;
  END IF;
  IF p_wagers IS NOT NULL THEN
    UPDATE wagers w
       SET outcome = n.outcome, forced_by = n.forced_by, updated_at = now(), pending_cancels = n.pending_cancels,
           settling_since = CASE WHEN n.is_settling THEN coalesce(w.settling_since, now()) END
      FROM unnest(p_wagers) n WHERE w.account_id = n.account_id AND w.id = n.id;
  END IF;
  IF p_new_bets IS NOT NULL THEN
    INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
                      allowed_acceptor_ids, meta, offer_status, accepting_user_id, effective_odds, effective_amount,
                      override_outcome, settled_outcome, is_active)
    SELECT n.* FROM unnest(p_new_bets) n;
  END IF;
  IF p_bets IS NOT NULL THEN
    UPDATE bets b
       SET offer_status = n.offer_status, accepting_user_id = n.accepting_user_id, effective_odds = n.effective_odds,
           effective_amount = n.effective_amount, override_outcome = n.override_outcome,
           settled_outcome = n.settled_outcome, is_active = n.is_active, updated_at = now()
      FROM unnest(p_bets) n WHERE b.account_id = n.account_id AND b.id = n.id;
  END IF;
  IF p_balances IS NOT NULL THEN
    UPDATE balances b SET balance = n.balance, exposure = n.exposure
      FROM unnest(p_balances) n WHERE b.account_id = n.account_id AND b.user_id = n.user_id;
  END IF;
  IF p_positions IS NOT NULL THEN
    INSERT INTO positions (account_id, user_id, wager_id, win, loss, offered)
    SELECT n.* FROM unnest(p_positions) n
    ON CONFLICT (account_id, user_id, wager_id)
      DO UPDATE SET win = excluded.win, loss = excluded.loss, offered = excluded.offered;
  END IF;
  IF p_trails IS NOT NULL THEN
    trail_ids := ARRAY(SELECT nextval('bet_trails_id_seq') FROM generate_series(1, cardinality(p_trails)));
    INSERT INTO bet_trails (id, account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
                            requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds,
                            effective_amount)
    SELECT trail_ids[n.place], n.account_id, n.bet_id, n.wager_id, n.offer_status, n.description, n.outcome,
           n.override_outcome, n.requesting_odds, n.requesting_amount, n.effective_odds, n.effective_amount,
           n.effective_odds, n.effective_amount
      FROM unnest(p_trails) WITH ORDINALITY
           AS n (account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome, requesting_odds,
                 requesting_amount, effective_odds, effective_amount, place);
  END IF;
  IF p_transactions IS NOT NULL THEN
    RETURN QUERY
      WITH inserted AS (
        INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type,
                                  transaction_source, bet_trail_id)
        SELECT n.account_id, n.user_id, n.reference, n.amount, n.description, n.transaction_type, n.transaction_source,
               trail_ids[n.trail_place]
          FROM unnest(p_transactions) n
        RETURNING id, reference, created_at, bet_trail_id)
      SELECT 'moved', NULL::int, i.id, i.reference, i.created_at FROM inserted i WHERE i.bet_trail_id IS NULL;
  END IF;
  IF p_settled IS NOT NULL THEN
    WITH settled AS MATERIALIZED (
      UPDATE bets b SET offer_status = 'accepted', settled_outcome = n.outcome, is_active = TRUE, updated_at = now()
        FROM unnest(p_settled) n WHERE b.account_id = n.account_id AND b.id = n.id
      RETURNING b.account_id, b.id, b.wager_id, b.offer_status, b.override_outcome, b.requesting_user_id,
                b.accepting_user_id, b.requesting_odds, b.requesting_amount, b.effective_odds, b.effective_amount,
                n.outcome, n.movement, n.description, n.reference, nextval('bet_trails_id_seq') AS trail_id
    ), trailed AS (
      INSERT INTO bet_trails (id, account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
                              requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds,
                              effective_amount)
      SELECT trail_id, account_id, id, wager_id, offer_status, description, outcome, override_outcome, requesting_odds,
             requesting_amount, effective_odds, effective_amount, effective_odds, effective_amount
        FROM settled)
    INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type, transaction_source,
                              bet_trail_id)
    SELECT s.account_id, side.user_id, s.reference || side.letter, abs(side.received), s.description,
           CASE WHEN side.received > 0 THEN 'credit' WHEN side.received < 0 THEN 'debit' ELSE 'no-action' END, 'bet', s.trail_id
      FROM settled s
     CROSS JOIN LATERAL (VALUES (s.requesting_user_id, s.movement, 'A'), (s.accepting_user_id, -s.movement, 'B'))
           AS side (user_id, received, letter);
  END IF;
  IF p_totals IS NOT NULL THEN
    own_shard := take_totals_shard();
    INSERT INTO ledger_totals AS known (account_id, shard, bets, open_bets, open_amount, transactions)
    SELECT n.account_id, own_shard, n.bets, n.open_bets, n.open_amount, n.transactions
      FROM unnest(p_totals) n
    ON CONFLICT (account_id, shard) DO UPDATE
       SET bets = known.bets + excluded.bets, open_bets = known.open_bets + excluded.open_bets,
           open_amount = known.open_amount + excluded.open_amount,
           transactions = known.transactions + excluded.transactions;
  END IF;
  IF p_answers IS NOT NULL THEN
    INSERT INTO stored_answers (account_id, key, request_hash, status, body)
    SELECT n.* FROM unnest(p_answers) n;
  END IF;
  IF p_entries IS NOT NULL THEN
    RETURN QUERY
      WITH drawn AS MATERIALIZED (
        SELECT n.*, nextval('outbox_id_seq') AS id
          FROM unnest(p_entries) WITH ORDINALITY AS n (account_id, topic, payload, place)
      ), inserted AS (
        INSERT INTO outbox (account_id, id, topic, payload)
        SELECT account_id, id, topic, payload FROM drawn RETURNING id, created_at)
      SELECT 'entry', d.place::int, d.id, NULL::text, i.created_at FROM drawn d JOIN inserted i ON i.id = d.id;
  END IF;
END $$;
