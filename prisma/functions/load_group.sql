-- Locks and reads everything that a group of tasks needs, in one call. Each statement in it has a snapshot of its own, so
-- what is read after a lock is what the lock protects. The order of the locks is the same everywhere: wagers, then balances.
-- The settings make plans of key look-ups, once for each connection, whatever the statistics say of a young database.
CREATE OR REPLACE FUNCTION load_group(
  p_waits boolean, p_accounts bigint[] = NULL, p_wagers wanted_wager[] = NULL, p_bets row_key[] = NULL,
  p_offers wanted_offers[] = NULL, p_pending wanted_pending[] = NULL, p_users wanted_user[] = NULL,
  p_named_users wanted_user[] = NULL, p_keys wanted_name[] = NULL, p_new_bets int = 0)
RETURNS SETOF result_row LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off AS $$
DECLARE
  claimed wanted_name[];
  bets_read loaded_bet[];
  positions_wanted wanted_position[];
BEGIN
  IF p_wagers IS NOT NULL OR p_bets IS NOT NULL THEN
    RETURN QUERY SELECT * FROM lock_wagers(p_waits, p_wagers, p_bets);
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
  IF p_users IS NOT NULL OR bets_read IS NOT NULL THEN
    SELECT array_agg(ROW(n.account_id, n.user_id, n.wager_id)::wanted_position) INTO positions_wanted
      FROM (SELECT DISTINCT wanted.* FROM (
              SELECT n.account_id, coalesce(n.id, u.id) AS user_id, coalesce(n.wager_id, w.id, b.wager_id) AS wager_id
                FROM unnest(p_users) n
                LEFT JOIN users u ON u.account_id = n.account_id AND u.reference = n.reference AND n.id IS NULL
                LEFT JOIN wagers w ON w.account_id = n.account_id AND w.reference = n.wager_reference
                LEFT JOIN bets b ON b.account_id = n.account_id AND b.id = n.bet_id
              UNION ALL
              SELECT (b.bet).account_id, (b.bet).requesting_user_id, (b.bet).wager_id FROM unnest(bets_read) b
               WHERE b.kind <> 'unexamined'
              UNION ALL
              SELECT (b.bet).account_id, (b.bet).accepting_user_id, (b.bet).wager_id FROM unnest(bets_read) b
               WHERE b.kind <> 'unexamined') wanted
             WHERE wanted.user_id IS NOT NULL) n;
    IF positions_wanted IS NOT NULL THEN
      RETURN QUERY SELECT * FROM lock_users(p_waits, positions_wanted);
    END IF;
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
