-- The first locks of a group: its wagers. While one is locked, its offers and positions cannot change. A wager that another
-- transaction holds is passed over; `stored wager` names it nevertheless, so that its tasks are set aside. The look-ups of bets
-- have the shape of those of `load_bets`.
CREATE OR REPLACE FUNCTION lock_wagers(p_waits boolean, p_wagers wanted_wager[], p_bets row_key[]) RETURNS SETOF result_row
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
                CROSS JOIN LATERAL (SELECT * FROM bets WHERE account_id = n.account_id AND id = n.id LIMIT 1) b)
      ORDER BY w.account_id, w.id FOR NO KEY UPDATE;
  END IF;
  RETURN QUERY
    SELECT 'wager', NULL::int, ROW(w.account_id, w.id, w.reference, w.outcome, w.forced_by, w.status, w.status_reason,
                                   w.closes_at, w.event, w.starts_at, w.revision, w.has_suspendable,
                                   w.has_expiring, w.settling_since, w.pending_cancels, w.settled_up_to, w.void_from, w.created_at,
                                   w.updated_at)::wager_row::text
      FROM unnest(p_wagers) n JOIN wagers w ON w.account_id = n.account_id AND w.reference = n.reference
       FOR NO KEY UPDATE OF w SKIP LOCKED;
  GET DIAGNOSTICS locked = ROW_COUNT;
  IF p_bets IS NOT NULL OR locked < cardinality(p_wagers) THEN
    RETURN QUERY
      SELECT 'wager', NULL::int, ROW(w.account_id, w.id, w.reference, w.outcome, w.forced_by, w.status, w.status_reason,
                                     w.closes_at, w.event, w.starts_at, w.revision, w.has_suspendable,
                                     w.has_expiring, w.settling_since, w.pending_cancels, w.settled_up_to, w.void_from, w.created_at,
                                     w.updated_at)::wager_row::text
        FROM wagers w
       WHERE (w.account_id, w.id) IN (
               SELECT n.account_id, n.id FROM unnest(p_wagers) n WHERE n.id IS NOT NULL
               UNION SELECT n.account_id, b.wager_id FROM unnest(p_bets) n
                       CROSS JOIN LATERAL (SELECT * FROM bets WHERE account_id = n.account_id AND id = n.id LIMIT 1) b)
         FOR NO KEY UPDATE OF w SKIP LOCKED;
    RETURN QUERY
      SELECT 'stored wager', NULL::int, ROW(w.account_id, w.id, w.reference, n.bet_id)::stored_wager::text
        FROM (SELECT account_id, id, NULL::bigint AS bet_id FROM unnest(p_wagers) WHERE id IS NOT NULL
              UNION ALL SELECT g.account_id, s.id, NULL FROM unnest(p_wagers) g
                          JOIN wagers s ON s.account_id = g.account_id AND s.reference = g.reference
              UNION ALL SELECT g.account_id, b.wager_id, b.id FROM unnest(p_bets) g
                          CROSS JOIN LATERAL (SELECT * FROM bets WHERE account_id = g.account_id AND id = g.id LIMIT 1) b) n
        JOIN wagers w ON w.account_id = n.account_id AND w.id = n.id;
    SELECT array_agg(ROW(n.account_id, n.reference)::wanted_name) INTO free
      FROM unnest(p_wagers) n
     WHERE n.may_create
       AND NOT EXISTS (SELECT FROM wagers w WHERE w.account_id = n.account_id AND w.reference = n.reference);
    IF free IS NOT NULL THEN
      free := claim_names(p_waits, 7266004, free);
      -- A newer snapshot: another transaction may have stored a name just before it was claimed.
      RETURN QUERY
        SELECT 'free name', NULL::int, ROW(n.account_id, nextval('wagers_id_seq'), n.name)::free_name::text
          FROM unnest(free) n
         WHERE NOT EXISTS (SELECT FROM wagers w WHERE w.account_id = n.account_id AND w.reference = n.name);
    END IF;
  END IF;
END $$;
