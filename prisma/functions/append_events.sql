-- Gives the events their numbers: the last statement of a transaction. A head is locked from here to the end of the commit,
-- so the order of an account's numbers is that of its commits; heads are locked in the order of their accounts. The time is
-- read under the lock, so it never goes back. The first event of an account makes its head. Of several accounts the missing
-- heads are made before any is locked: a transaction that holds a lock then never waits for one that makes heads. An event about a
-- row of the same call has the number of the row's id among those that the call has drawn. A group that has counted with other
-- decimals than its account's, or with none (-1), fails, and runs again: they were set after it began.
CREATE OR REPLACE FUNCTION append_events(p_log logged_group[], p_drawn bigint[] = NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
BEGIN
  IF cardinality(p_log) > 1 THEN
    IF EXISTS (SELECT FROM unnest(p_log) n WHERE NOT EXISTS (SELECT FROM event_heads h WHERE h.account_id = n.account_id)) THEN
      INSERT INTO event_heads (account_id, decimals)
        SELECT n.account_id, (SELECT a.decimals FROM accounts a WHERE a.id = n.account_id) FROM unnest(p_log) n ORDER BY 1
        ON CONFLICT DO NOTHING;
    END IF;
    PERFORM FROM event_heads h WHERE h.account_id IN (SELECT n.account_id FROM unnest(p_log) n)
      ORDER BY h.account_id FOR NO KEY UPDATE;
  END IF;
  WITH numbered AS (
    UPDATE event_heads h
       SET last_seq = h.last_seq + cardinality(n.kinds), last_at = greatest(h.last_at, clock_timestamp()),
           last_kind = n.kinds[cardinality(n.kinds)],
           last_ref = coalesce(n.refs[cardinality(n.refs)], p_drawn[n.drawn[cardinality(n.refs)]])
      FROM unnest(p_log) n WHERE h.account_id = n.account_id
    RETURNING h.account_id, h.last_seq, h.last_at, n.kinds, n.refs, n.drawn, n.operations, n.extras, n.run_id,
              n.decimals IS NULL OR n.decimals = coalesce(h.decimals, -1) AS is_right
  )
  INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations, extras, run_id)
  SELECT h.account_id, h.last_seq - cardinality(h.kinds) + 1, h.last_seq, h.last_at, h.kinds,
         ARRAY(SELECT coalesce(ref, p_drawn[number]) FROM unnest(h.refs, h.drawn) AS r (ref, number)), h.operations, h.extras,
         h.run_id
    FROM numbered h WHERE h.is_right;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written < cardinality(p_log) THEN
    IF EXISTS (SELECT FROM unnest(p_log) n JOIN event_heads h ON h.account_id = n.account_id
                WHERE n.decimals <> coalesce(h.decimals, -1)) THEN
      RAISE EXCEPTION 'the decimals of an account were set meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;
  IF written = 0 THEN
    INSERT INTO event_heads (account_id, decimals)
      SELECT n.account_id, (SELECT a.decimals FROM accounts a WHERE a.id = n.account_id) FROM unnest(p_log) n
      ON CONFLICT DO NOTHING;
    PERFORM append_events(p_log, p_drawn);
  ELSIF written < cardinality(p_log) THEN
    RAISE EXCEPTION 'an account has two groups of events in one call';
  END IF;
END $$;
