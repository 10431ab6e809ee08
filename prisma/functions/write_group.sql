-- Writes everything that a group of tasks decided, in one call. Returns the rows whose ids and times the caller needs: money in or
-- out (`movement`), outbox entries (`entry`, with the number of the given one), and the ids of the trail entries (`trails`), unless
-- the events come with the call: they are the last statement of a transaction. A settled bet's trail entry and transactions follow
-- from the bet. Transactions get their ids by their numbers: the ids of a user have the order in which its balance moved, and a
-- trail entry names its first and its last one.
CREATE OR REPLACE FUNCTION write_group(
  p_new_wagers wager_row[] = NULL, p_wagers wager_row[] = NULL, p_new_bets written_bet[] = NULL, p_bets changed_bet[] = NULL,
  p_users moved_user[] = NULL, p_new_positions position_row[] = NULL, p_positions position_row[] = NULL,
  p_trails written_trail[] = NULL, p_transactions written_transaction[] = NULL, p_settled settled_bet[] = NULL,
  p_totals moved_total[] = NULL, p_matches counted_match[] = NULL,
  p_answers written_answer[] = NULL, p_entries written_entry[] = NULL, p_log logged_group[] = NULL)
RETURNS SETOF result_row LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off AS $$
DECLARE
  trail_count int := coalesce(cardinality(p_trails), 0);
  trail_ids bigint[];
  transaction_ids bigint[];
  moved_at timestamptz(3);
  own_shard int;
  updated int;
BEGIN
  IF p_new_wagers IS NOT NULL THEN
    INSERT INTO wagers (account_id, id, reference, outcome, forced_by, status, status_reason, closes_at, event, starts_at,
                        revision, has_suspendable, has_expiring, settling_since, pending_cancels, settled_up_to, void_from, created_at, updated_at)
    SELECT n.account_id, n.id, n.reference, n.outcome, n.forced_by, n.status, n.status_reason,
           n.closes_at, n.event, n.starts_at,
           n.revision, n.has_suspendable, n.has_expiring, n.settling_since,
           n.pending_cancels, n.settled_up_to,
           n.void_from,
           n.created_at,
           n.updated_at
      FROM unnest(p_new_wagers) n;
  END IF;
  IF p_wagers IS NOT NULL THEN
    UPDATE wagers w
       SET outcome = n.outcome, forced_by = n.forced_by, status = n.status, status_reason = n.status_reason,
           closes_at = n.closes_at, event = n.event, starts_at = n.starts_at,
           revision = n.revision, has_suspendable = n.has_suspendable, has_expiring = n.has_expiring,
           settling_since = n.settling_since,
           pending_cancels = n.pending_cancels, settled_up_to = n.settled_up_to,
           void_from = n.void_from,
           updated_at = n.updated_at
      FROM unnest(p_wagers) n WHERE w.account_id = n.account_id AND w.id = n.id;
  END IF;
  IF p_new_bets IS NOT NULL THEN
    INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
                      allowed_acceptor_ids, meta, offer_status, accepting_user_id, effective_odds, effective_amount,
                      override_outcome, settled_outcome, is_active, spared_up_to, expires_at, cancel_on_suspend,
                      accepted_at, timed_out)
    SELECT n.account_id, n.id, n.wager_id, n.requesting_user_id, n.requesting_odds, n.requesting_amount, n.queue_place,
           n.allowed_acceptor_ids,
           -- The rest of a stored offer has the data of the original, which its place names.
           CASE WHEN n.meta IS NULL AND n.queue_place <> n.id
                THEN (SELECT o.meta FROM bets o WHERE o.account_id = n.account_id AND o.id = n.queue_place)
                ELSE n.meta END, n.offer_status, n.accepting_user_id, n.effective_odds, n.effective_amount,
           n.override_outcome, n.settled_outcome, n.is_active, n.spared_up_to,
           n.expires_at, n.cancel_on_suspend,
           n.accepted_at, n.timed_out
      FROM unnest(p_new_bets) n;
  END IF;
  IF p_bets IS NOT NULL THEN
    UPDATE bets b
       SET offer_status = n.offer_status, accepting_user_id = n.accepting_user_id, effective_odds = n.effective_odds,
           effective_amount = n.effective_amount, override_outcome = n.override_outcome,
           settled_outcome = n.settled_outcome, is_active = n.is_active, spared_up_to = n.spared_up_to,
           accepted_at = n.accepted_at, timed_out = n.timed_out, updated_at = now()
      FROM unnest(p_bets) n WHERE b.account_id = n.account_id AND b.id = n.id;
  END IF;
  IF p_users IS NOT NULL THEN
    UPDATE balances b SET balance = n.balance, exposure = n.exposure
      FROM unnest(p_users) n WHERE b.account_id = n.account_id AND b.user_id = n.id;
  END IF;
  IF p_new_positions IS NOT NULL THEN
    INSERT INTO positions (account_id, user_id, wager_id, win, loss, offered)
    SELECT n.account_id, n.user_id, n.wager_id, n.win, n.loss, n.offered FROM unnest(p_new_positions) n;
  END IF;
  IF p_positions IS NOT NULL THEN
    UPDATE positions p SET win = n.win, loss = n.loss, offered = n.offered
      FROM unnest(p_positions) n
     WHERE p.account_id = n.account_id AND p.user_id = n.user_id AND p.wager_id = n.wager_id;
    GET DIAGNOSTICS updated = ROW_COUNT;
    IF updated <> cardinality(p_positions) THEN
      RAISE EXCEPTION 'a position is not stored';
    END IF;
  END IF;
  IF p_trails IS NOT NULL OR p_settled IS NOT NULL THEN
    trail_ids := ARRAY(
      SELECT nextval('bet_trails_id_seq') FROM generate_series(1, trail_count + coalesce(cardinality(p_settled), 0)));
  END IF;
  IF p_transactions IS NOT NULL OR p_settled IS NOT NULL THEN
    -- One time for all: they are not written in the order of their ids.
    moved_at := clock_timestamp();
    transaction_ids := ARRAY(
      SELECT nextval('transactions_id_seq')
        FROM generate_series(1, coalesce(cardinality(p_transactions), 0) + 2 * coalesce(cardinality(p_settled), 0)));
  END IF;
  IF p_trails IS NOT NULL THEN
    INSERT INTO bet_trails (id, account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
                            requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds,
                            effective_amount, first_transaction_id, last_transaction_id)
    SELECT trail_ids[n.number], n.account_id, n.bet_id, n.wager_id, n.offer_status, n.description, n.outcome,
           n.override_outcome, n.requesting_odds, n.requesting_amount, n.effective_odds, n.effective_amount,
           n.effective_odds, n.effective_amount, transaction_ids[n.first_transaction], transaction_ids[n.last_transaction]
      FROM unnest(p_trails) WITH ORDINALITY
           AS n (account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome, requesting_odds,
                 requesting_amount, effective_odds, effective_amount, first_transaction, last_transaction, number);
  END IF;
  IF p_transactions IS NOT NULL THEN
    INSERT INTO transactions (id, account_id, user_id, amount, description, transaction_type, transaction_source,
                              bet_trail_id, balance_after, created_at)
    SELECT transaction_ids[n.number], n.account_id, n.user_id, n.amount, n.description, n.transaction_type,
           n.transaction_source, trail_ids[n.trail_number], n.balance_after, moved_at
      FROM unnest(p_transactions) n;
    INSERT INTO movement_labels (account_id, transaction_id, own_reference, meta)
    SELECT n.account_id, transaction_ids[n.number], n.own_reference, n.meta
      FROM unnest(p_transactions) n WHERE n.own_reference IS NOT NULL OR n.meta IS NOT NULL;
    RETURN QUERY
      SELECT 'movement', n.number, ROW(transaction_ids[n.number], moved_at)::stored_movement::text
        FROM unnest(p_transactions) n WHERE n.trail_number IS NULL;
  END IF;
  IF p_settled IS NOT NULL THEN
    WITH settled AS MATERIALIZED (
      UPDATE bets b SET offer_status = 'accepted', settled_outcome = n.outcome, is_active = TRUE, updated_at = now()
        FROM unnest(p_settled) WITH ORDINALITY
             AS n (account_id, number, id, outcome, movement, description, requester_balance, acceptor_balance, trail_number)
       WHERE b.account_id = n.account_id AND b.id = n.id
      RETURNING b.account_id, b.id, b.wager_id, b.offer_status, b.override_outcome, b.requesting_user_id,
                b.accepting_user_id, b.requesting_odds, b.requesting_amount, b.effective_odds, b.effective_amount,
                n.outcome, n.movement, n.description, n.requester_balance, n.acceptor_balance, n.number,
                trail_ids[trail_count + n.trail_number] AS trail_id
    ), trailed AS (
      INSERT INTO bet_trails (id, account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
                              requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds,
                              effective_amount, first_transaction_id, last_transaction_id)
      SELECT trail_id, account_id, id, wager_id, offer_status, description, outcome, override_outcome, requesting_odds,
             requesting_amount, effective_odds, effective_amount, effective_odds, effective_amount,
             transaction_ids[number], transaction_ids[number + 1]
        FROM settled)
    INSERT INTO transactions (id, account_id, user_id, amount, description, transaction_type, transaction_source,
                              bet_trail_id, balance_after, created_at)
    SELECT transaction_ids[side.number], s.account_id, side.user_id, abs(side.received), s.description,
           CASE WHEN side.received > 0 THEN 'credit' WHEN side.received < 0 THEN 'debit' ELSE 'no-action' END,
           'bet', s.trail_id, side.balance, moved_at
      FROM settled s
     CROSS JOIN LATERAL (VALUES (s.requesting_user_id, s.movement, s.number, s.requester_balance),
                                (s.accepting_user_id, -s.movement, s.number + 1, s.acceptor_balance))
           AS side (user_id, received, number, balance);
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
    INSERT INTO stored_answers (account_id, key, request_hash, status, body, error_code, error_operation)
    SELECT n.account_id, n.key, n.request_hash, n.status, n.body, n.error_code, n.error_operation FROM unnest(p_answers) n;
  END IF;
  IF p_entries IS NOT NULL THEN
    RETURN QUERY
      WITH drawn AS MATERIALIZED (
        SELECT n.*, nextval('outbox_id_seq') AS id
          FROM unnest(p_entries) WITH ORDINALITY AS n (account_id, topic, payload, number)
      ), inserted AS (
        INSERT INTO outbox (account_id, id, topic, payload)
        SELECT account_id, id, topic, payload FROM drawn RETURNING id, created_at)
      SELECT 'entry', d.number::int, ROW(d.id, i.created_at)::stored_entry::text FROM drawn d JOIN inserted i ON i.id = d.id;
  END IF;
  IF p_log IS NOT NULL THEN
    PERFORM append_events(p_log, trail_ids || transaction_ids);
  ELSIF trail_ids IS NOT NULL THEN
    RETURN QUERY SELECT 'trails', NULL::int, ROW(trail_ids)::drawn_ids::text;
  END IF;
END $$;
