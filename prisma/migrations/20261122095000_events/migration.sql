-- CreateTable
CREATE TABLE "event_heads" (
    "account_id" BIGINT NOT NULL,
    "last_seq" BIGINT NOT NULL DEFAULT 0,
    "last_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "last_kind" SMALLINT NOT NULL DEFAULT 0,
    "last_ref" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_heads_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "event_groups" (
    "account_id" BIGINT NOT NULL,
    "first_seq" BIGINT NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "kinds" SMALLINT[],
    "refs" BIGINT[],
    "operations" TEXT NOT NULL,
    "extras" JSONB,

    CONSTRAINT "event_groups_pkey" PRIMARY KEY ("account_id","last_seq")
);

-- AddForeignKey
ALTER TABLE "event_heads" ADD CONSTRAINT "event_heads_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What schema.prisma cannot say stands below.

-- An event is element i of the arrays of its group, and its number is first_seq + i - 1. docs/events.md says what they hold.
ALTER TABLE event_groups
  ALTER COLUMN kinds SET NOT NULL, ALTER COLUMN refs SET NOT NULL,
  ADD CONSTRAINT event_groups_is_dense CHECK
    (first_seq > 0 AND cardinality(kinds) = last_seq - first_seq + 1 AND cardinality(refs) = cardinality(kinds));
CREATE TRIGGER event_groups_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event_groups
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_heads_stay BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id ON event_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete();
-- Each commit updates its account's head, on its page as long as there is room.
ALTER TABLE event_heads SET (fillfactor = 20);
-- The ids of requests do not compress: only the row of a large settlement is worth the try.
ALTER TABLE event_groups SET (toast_tuple_target = 8160);

-- The events of one account in one transaction. A ref below zero is a place, counted back from -1, among the ids that the same
-- call has drawn.
CREATE TYPE logged_group AS (account_id bigint, kinds smallint[], refs bigint[], operations text, extras jsonb);

-- Gives the events their numbers: the last statement of a transaction. A head is locked from here to the end of the commit,
-- so the order of an account's numbers is that of its commits; heads are locked in the order of their accounts. The time is
-- read under the lock, so it never goes back. The first event of an account makes its head. Of several accounts the missing
-- heads are made before any is locked: a transaction that holds a lock then never waits for one that makes heads.
CREATE FUNCTION append_events(p_log logged_group[], p_drawn bigint[] = NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
BEGIN
  IF cardinality(p_log) > 1 THEN
    IF EXISTS (SELECT FROM unnest(p_log) n WHERE NOT EXISTS (SELECT FROM event_heads h WHERE h.account_id = n.account_id)) THEN
      INSERT INTO event_heads (account_id) SELECT n.account_id FROM unnest(p_log) n ORDER BY 1 ON CONFLICT DO NOTHING;
    END IF;
    PERFORM FROM event_heads h WHERE h.account_id IN (SELECT n.account_id FROM unnest(p_log) n)
      ORDER BY h.account_id FOR NO KEY UPDATE;
  END IF;
  WITH numbered AS (
    UPDATE event_heads h
       SET last_seq = h.last_seq + cardinality(n.kinds), last_at = greatest(h.last_at, clock_timestamp()),
           last_kind = n.kinds[cardinality(n.kinds)],
           last_ref = CASE WHEN n.refs[cardinality(n.refs)] < 0 THEN p_drawn[-n.refs[cardinality(n.refs)]]
                           ELSE n.refs[cardinality(n.refs)] END
      FROM unnest(p_log) n WHERE h.account_id = n.account_id
    RETURNING h.account_id, h.last_seq, h.last_at, n.kinds, n.refs, n.operations, n.extras
  )
  INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations, extras)
  SELECT h.account_id, h.last_seq - cardinality(h.kinds) + 1, h.last_seq, h.last_at, h.kinds,
         ARRAY(SELECT CASE WHEN ref < 0 THEN p_drawn[-ref] ELSE ref END FROM unnest(h.refs) AS ref), h.operations, h.extras
    FROM numbered h;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written = 0 THEN
    INSERT INTO event_heads (account_id) SELECT n.account_id FROM unnest(p_log) n ON CONFLICT DO NOTHING;
    PERFORM append_events(p_log, p_drawn);
  ELSIF written < cardinality(p_log) THEN
    RAISE EXCEPTION 'an account has two groups of events in one call';
  END IF;
END $$;

-- The same for one account, by statements that Citus can plan on its coordinator; without places in the refs. Its variables
-- are scalars: Citus 13.2 crashed with a composite one.
CREATE FUNCTION append_group(p_account_id bigint, p_kinds smallint[], p_refs bigint[], p_operations text, p_extras jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_count int := cardinality(p_kinds);
  last_kind_of smallint := p_kinds[event_count];
  last_ref_of bigint := p_refs[event_count];
  number bigint;
  moment timestamptz;
BEGIN
  LOOP
    SELECT h.last_seq, greatest(h.last_at, clock_timestamp()) INTO number, moment
      FROM event_heads h WHERE h.account_id = p_account_id FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO event_heads (account_id) VALUES (p_account_id) ON CONFLICT DO NOTHING;
  END LOOP;
  UPDATE event_heads SET last_seq = number + event_count, last_at = moment, last_kind = last_kind_of, last_ref = last_ref_of
   WHERE account_id = p_account_id;
  INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations, extras)
  VALUES (p_account_id, number + 1, number + event_count, moment, p_kinds, p_refs, p_operations, p_extras);
END $$;

-- Says what an account has whose rows are not in its log: they are older than the log, or SQL has written them.
CREATE FUNCTION open_log(p_account_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  facts jsonb;
BEGIN
  SELECT jsonb_build_object(
      'users', (SELECT coalesce(sum(rows), 0) FROM row_counts WHERE account_id = p_account_id AND kind = 'users'),
      'wagers', (SELECT count(*) FROM wagers WHERE account_id = p_account_id),
      'bets', (SELECT coalesce(sum(bets), 0) FROM ledger_totals WHERE account_id = p_account_id),
      'transactions', (SELECT coalesce(sum(transactions), 0) FROM ledger_totals WHERE account_id = p_account_id),
      'last_trail_id', (SELECT coalesce(max(id), 0) FROM bet_trails WHERE account_id = p_account_id),
      'last_transaction_id', (SELECT coalesce(max(id), 0) FROM transactions WHERE account_id = p_account_id))
    INTO facts;
  PERFORM append_group(p_account_id, '{0}', ARRAY[p_account_id], '1 command:migrate -', jsonb_build_object('0', facts));
END $$;

-- As before with the matches of count_matches, and the events of the group as the last statement. A call without them returns the ids of its trail entries
-- (`trails`) for the call that ends the transaction.
DROP FUNCTION write_group(written_wager[], written_wager[], written_bet[], changed_bet[], moved_balance[], moved_position[],
  written_trail[], written_transaction[], settled_bet[], moved_total[], written_answer[], written_entry[]);
DROP FUNCTION count_matches(counted_match[]);
CREATE FUNCTION write_group(
  p_new_wagers written_wager[] = NULL, p_wagers written_wager[] = NULL, p_new_bets written_bet[] = NULL,
  p_bets changed_bet[] = NULL, p_balances moved_balance[] = NULL, p_positions moved_position[] = NULL,
  p_trails written_trail[] = NULL, p_transactions written_transaction[] = NULL, p_settled settled_bet[] = NULL,
  p_totals moved_total[] = NULL, p_answers written_answer[] = NULL, p_entries written_entry[] = NULL,
  p_matches counted_match[] = NULL, p_log logged_group[] = NULL)
RETURNS SETOF written_row LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off AS $$
DECLARE
  trail_count int := coalesce(cardinality(p_trails), 0);
  trail_ids bigint[];
  transaction_ids bigint[];
  moved_at timestamptz;
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
  IF p_trails IS NOT NULL OR p_settled IS NOT NULL THEN
    trail_ids := ARRAY(
      SELECT nextval('bet_trails_id_seq') FROM generate_series(1, trail_count + coalesce(cardinality(p_settled), 0)));
  END IF;
  IF p_trails IS NOT NULL THEN
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
  IF p_transactions IS NOT NULL OR p_settled IS NOT NULL THEN
    -- One time for all: they are not written in the order of their ids.
    moved_at := clock_timestamp();
    transaction_ids := ARRAY(
      SELECT nextval('transactions_id_seq')
        FROM generate_series(1, coalesce(cardinality(p_transactions), 0) + 2 * coalesce(cardinality(p_settled), 0)));
  END IF;
  IF p_transactions IS NOT NULL THEN
    RETURN QUERY
      WITH inserted AS (
        INSERT INTO transactions (id, account_id, user_id, reference, amount, description, transaction_type,
                                  transaction_source, bet_trail_id, balance_after, created_at)
        SELECT transaction_ids[n.place], n.account_id, n.user_id, n.reference, n.amount, n.description, n.transaction_type,
               n.transaction_source, trail_ids[n.trail_place], n.balance_after, moved_at
          FROM unnest(p_transactions) n
        RETURNING id, reference, created_at, bet_trail_id)
      SELECT 'moved', NULL::int, i.id, i.reference, i.created_at FROM inserted i WHERE i.bet_trail_id IS NULL;
  END IF;
  IF p_settled IS NOT NULL THEN
    WITH settled AS MATERIALIZED (
      UPDATE bets b SET offer_status = 'accepted', settled_outcome = n.outcome, is_active = TRUE, updated_at = now()
        FROM unnest(p_settled) WITH ORDINALITY
             AS n (account_id, id, outcome, movement, description, reference, requester_balance, acceptor_balance, place,
                   trail_place)
       WHERE b.account_id = n.account_id AND b.id = n.id
      RETURNING b.account_id, b.id, b.wager_id, b.offer_status, b.override_outcome, b.requesting_user_id,
                b.accepting_user_id, b.requesting_odds, b.requesting_amount, b.effective_odds, b.effective_amount,
                n.outcome, n.movement, n.description, n.reference, n.requester_balance, n.acceptor_balance, n.place,
                trail_ids[trail_count + n.trail_place] AS trail_id
    ), trailed AS (
      INSERT INTO bet_trails (id, account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
                              requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds,
                              effective_amount)
      SELECT trail_id, account_id, id, wager_id, offer_status, description, outcome, override_outcome, requesting_odds,
             requesting_amount, effective_odds, effective_amount, effective_odds, effective_amount
        FROM settled)
    INSERT INTO transactions (id, account_id, user_id, reference, amount, description, transaction_type,
                              transaction_source, bet_trail_id, balance_after, created_at)
    SELECT transaction_ids[side.place], s.account_id, side.user_id, s.reference || side.letter, abs(side.received),
           s.description, CASE WHEN side.received > 0 THEN 'credit' WHEN side.received < 0 THEN 'debit' ELSE 'no-action' END,
           'bet', s.trail_id, side.balance, moved_at
      FROM settled s
     CROSS JOIN LATERAL (VALUES (s.requesting_user_id, s.movement, 'A', s.place, s.requester_balance),
                                (s.accepting_user_id, -s.movement, 'B', s.place + 1, s.acceptor_balance))
           AS side (user_id, received, letter, place, balance);
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
  IF p_matches IS NOT NULL THEN
    UPDATE wagers w
       SET matched_bets = w.matched_bets + n.bets, matched_amount = w.matched_amount + n.amount,
           last_matched_bet_id = n.last_bet_id
      FROM unnest(p_matches) n WHERE w.account_id = n.account_id AND w.id = n.wager_id;
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
  IF p_log IS NOT NULL THEN
    PERFORM append_events(p_log, trail_ids || transaction_ids);
  ELSIF trail_ids IS NOT NULL THEN
    RETURN QUERY SELECT 'trails', NULL::int, NULL::bigint, array_to_string(trail_ids, ' '), NULL::timestamptz;
  END IF;
END $$;

SELECT open_log(id) FROM accounts ORDER BY id;
