-- Locks and reads everything that a group of tasks needs, in one call. Each statement in it has a snapshot of its own, so
-- what is read after a lock is what the lock protects. The order of the locks is the same everywhere: wagers, then balances.
-- A call that does not wait passes over what another transaction holds: `stored wager` and `known user` name what was wanted,
-- so that the tasks of the rest are set aside. It is one function: rows of an inner one would be copied once more.
-- The settings make plans of key look-ups, once for each connection, whatever the statistics say of a young database.
CREATE OR REPLACE FUNCTION load_group(
  p_waits boolean, p_accounts bigint[] = NULL, p_wagers wanted_wager[] = NULL, p_bets row_key[] = NULL,
  p_offers wanted_offers[] = NULL, p_pending wanted_pending[] = NULL, p_users wanted_user[] = NULL,
  p_named_users wanted_user[] = NULL, p_keys wanted_name[] = NULL, p_new_bets int = 0)
RETURNS SETOF result_row LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off AS $$
DECLARE
  locked bigint;
  free_names wanted_name[];
  claimed wanted_name[];
  bets_read loaded_bet[];
  positions_wanted wanted_position[];
  users_wanted row_key[];
BEGIN
  -- The wagers: while one is locked, its offers and positions cannot change. Bets are looked up as in `load_bets`.
  IF p_wagers IS NOT NULL OR p_bets IS NOT NULL THEN
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
      SELECT array_agg(ROW(n.account_id, n.reference)::wanted_name) INTO free_names
        FROM unnest(p_wagers) n
       WHERE n.may_create
         AND NOT EXISTS (SELECT FROM wagers w WHERE w.account_id = n.account_id AND w.reference = n.reference);
      IF free_names IS NOT NULL THEN
        free_names := claim_names(p_waits, 7266004, free_names);
        -- A newer snapshot: another transaction may have stored a name just before it was claimed.
        RETURN QUERY
          SELECT 'free name', NULL::int, ROW(n.account_id, nextval('wagers_id_seq'), n.name)::free_name::text
            FROM unnest(free_names) n
           WHERE NOT EXISTS (SELECT FROM wagers w WHERE w.account_id = n.account_id AND w.reference = n.name);
      END IF;
    END IF;
  END IF;
  IF p_keys IS NOT NULL THEN
    claimed := claim_names(p_waits, 7266003, p_keys);
    RETURN QUERY
      SELECT 'claimed key', NULL::int, ROW(n.account_id, n.name, s.request_hash, s.status, s.body,
                                              s.error_code, s.error_operation)::claimed_key::text
        FROM unnest(claimed) n
        LEFT JOIN stored_answers s ON s.account_id = n.account_id AND s.key = n.name;
  END IF;
  IF p_bets IS NOT NULL OR p_offers IS NOT NULL OR p_pending IS NOT NULL THEN
    SELECT array_agg(loaded) INTO bets_read FROM load_bets(p_bets, p_offers, p_pending) loaded;
    RETURN QUERY SELECT b.kind, b.number, b.bet::text FROM unnest(bets_read) b;
  END IF;
  -- The balances of users, each with the positions that are wanted. Positions need no lock of their own, because every transaction
  -- that moves one holds its wager. Most groups load no bets.
  IF p_users IS NOT NULL THEN
    SELECT array_agg(ROW(n.account_id, coalesce(n.id, u.id), coalesce(n.wager_id, w.id))::wanted_position) INTO positions_wanted
      FROM unnest(p_users) n
      LEFT JOIN users u ON u.account_id = n.account_id AND u.reference = n.reference AND n.id IS NULL
      LEFT JOIN wagers w ON w.account_id = n.account_id AND w.reference = n.wager_reference
     WHERE coalesce(n.id, u.id) IS NOT NULL;
  END IF;
  IF bets_read IS NOT NULL THEN
    SELECT array_agg(ROW(n.account_id, n.user_id, n.wager_id)::wanted_position) INTO positions_wanted
      FROM (SELECT DISTINCT wanted.* FROM (
              SELECT p.account_id, p.user_id, p.wager_id FROM unnest(positions_wanted) p
              UNION ALL
              SELECT n.account_id, coalesce(n.id, u.id), b.wager_id
                FROM unnest(p_users) n
                LEFT JOIN users u ON u.account_id = n.account_id AND u.reference = n.reference AND n.id IS NULL
               CROSS JOIN LATERAL (SELECT * FROM bets WHERE account_id = n.account_id AND id = n.bet_id LIMIT 1) b
               WHERE n.bet_id IS NOT NULL
              UNION ALL
              SELECT (b.bet).account_id, (b.bet).requesting_user_id, (b.bet).wager_id FROM unnest(bets_read) b
               WHERE b.kind <> 'unexamined'
              UNION ALL
              SELECT (b.bet).account_id, (b.bet).accepting_user_id, (b.bet).wager_id FROM unnest(bets_read) b
               WHERE b.kind <> 'unexamined') wanted (account_id, user_id, wager_id)
             WHERE wanted.user_id IS NOT NULL) n;
  END IF;
  IF positions_wanted IS NOT NULL THEN
    SELECT array_agg(ROW(n.account_id, n.user_id)::row_key) INTO users_wanted
      FROM (SELECT DISTINCT account_id, user_id FROM unnest(positions_wanted) ORDER BY account_id, user_id) n;
    IF p_waits THEN
      PERFORM FROM balances b
        WHERE (b.account_id, b.user_id) IN (SELECT n.account_id, n.id FROM unnest(users_wanted) n)
        ORDER BY b.account_id, b.user_id FOR NO KEY UPDATE;
    END IF;
    RETURN QUERY
      SELECT 'user', NULL::int, ROW(b.account_id, b.user_id, u.reference, b.balance, b.exposure, b.disputed_since IS NOT NULL,
                                    u.preferences ->> 'allow_negative_balance' = 'true')::loaded_user::text
        FROM unnest(users_wanted) n
        JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
        JOIN users u ON u.account_id = n.account_id AND u.id = n.id
         FOR NO KEY UPDATE OF b SKIP LOCKED;
    GET DIAGNOSTICS locked = ROW_COUNT;
    IF locked < cardinality(users_wanted) THEN
      RETURN QUERY
        SELECT 'known user', NULL::int, ROW(u.account_id, u.id, u.reference)::user_name::text
          FROM unnest(users_wanted) n
          JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
          JOIN users u ON u.account_id = n.account_id AND u.id = n.id;
    END IF;
    -- A position that is not stored is the user's lone offer on the wager, or empty.
    RETURN QUERY
      SELECT CASE WHEN p.user_id IS NULL THEN 'lone offer' ELSE 'position' END, NULL::int,
             CASE WHEN p.user_id IS NULL THEN ROW(n.account_id, n.user_id, n.wager_id, lone.requesting_amount)::lone_offer::text
                  ELSE ROW(p.account_id, p.user_id, p.wager_id, p.win, p.loss, p.offered)::position_row::text END
        FROM unnest(positions_wanted) n
        LEFT JOIN positions p ON p.account_id = n.account_id AND p.user_id = n.user_id AND p.wager_id = n.wager_id
        LEFT JOIN LATERAL (
          SELECT b.requesting_amount FROM bets b
           WHERE p.user_id IS NULL AND b.account_id = n.account_id AND b.requesting_user_id = n.user_id AND b.wager_id = n.wager_id
             AND b.offer_status = 'requesting' AND b.is_active
           ORDER BY b.queue_place, b.id LIMIT 1) lone ON TRUE
       WHERE p.user_id IS NOT NULL OR lone.requesting_amount IS NOT NULL;
  END IF;
  -- After the waits for locks: a preference that changed meanwhile counts, and so does a time that came. A sandbox has a clock
  -- ahead, and room for 100,000 bets; one that is being deleted has less than none.
  RETURN QUERY
    SELECT 'account', NULL::int, ROW(a.id, a.preferences ->> 'allow_negative_balance' = 'true', a.decimals,
                                      (date_part('epoch', clock_timestamp()) * 1000000)::bigint + a.clock_ahead,
                                      CASE WHEN a.sandbox_of IS NULL THEN NULL WHEN a.removed_since IS NOT NULL THEN -1
                                           ELSE bets_left(a.id) END)::loaded_account::text
      FROM accounts a WHERE a.id = ANY (p_accounts);
  IF p_named_users IS NOT NULL THEN
    RETURN QUERY
      SELECT 'named user', NULL::int, ROW(u.account_id, u.id, u.reference)::user_name::text
        FROM unnest(p_named_users) n
        JOIN users u ON u.account_id = n.account_id
                    AND u.id = coalesce(n.id, (SELECT r.id FROM users r
                                                WHERE r.account_id = n.account_id AND r.reference = n.reference));
  END IF;
  IF p_new_bets > 0 THEN
    -- The wagers are locked by now, so a later offer of a wager has a higher id.
    RETURN QUERY
      SELECT 'bet ids', NULL::int, ROW(array_agg(nextval('bets_id_seq')))::drawn_ids::text FROM generate_series(1, p_new_bets);
  END IF;
END $$;
