-- AlterTable
ALTER TABLE "event_groups" ADD COLUMN "run_id" UUID;

-- What schema.prisma cannot say stands below.

-- The id of the run of a group of tasks, drawn before the run begins, in the log of one of its accounts. Two commits of one run
-- violate the index. Events of accounts, users and exports have none.
CREATE UNIQUE INDEX event_groups_run_idx ON event_groups (account_id, run_id) WHERE run_id IS NOT NULL;
ALTER TYPE logged_group ADD ATTRIBUTE run_id uuid;

-- A task that runs again calls this with the ids of its earlier runs, under its own locks: an earlier run that was still at its
-- commit has ended by then.
CREATE FUNCTION refuse_second_run(p_account_ids bigint[], p_run_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(p_account_ids, p_run_ids) AS n (account_id, run_id)
               JOIN event_groups g ON g.account_id = n.account_id AND g.run_id = n.run_id) THEN
    RAISE EXCEPTION 'an earlier run of the group was committed' USING ERRCODE = 'BL001';
  END IF;
END $$;

-- As before, with the id of the run.
CREATE OR REPLACE FUNCTION append_events(p_log logged_group[], p_drawn bigint[] = NULL) RETURNS void LANGUAGE plpgsql AS $$
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
    RETURNING h.account_id, h.last_seq, h.last_at, n.kinds, n.refs, n.operations, n.extras, n.run_id
  )
  INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations, extras, run_id)
  SELECT h.account_id, h.last_seq - cardinality(h.kinds) + 1, h.last_seq, h.last_at, h.kinds,
         ARRAY(SELECT CASE WHEN ref < 0 THEN p_drawn[-ref] ELSE ref END FROM unnest(h.refs) AS ref), h.operations, h.extras,
         h.run_id
    FROM numbered h;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written = 0 THEN
    INSERT INTO event_heads (account_id) SELECT n.account_id FROM unnest(p_log) n ON CONFLICT DO NOTHING;
    PERFORM append_events(p_log, p_drawn);
  ELSIF written < cardinality(p_log) THEN
    RAISE EXCEPTION 'an account has two groups of events in one call';
  END IF;
END $$;

-- As before, but an account's preferences are read after the locks.
CREATE OR REPLACE FUNCTION load_group(
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
  -- After the waits for locks: a preference that changed meanwhile counts.
  RETURN QUERY
    SELECT 'account', a.id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
           NULL::bigint, NULL::bigint, a.preferences ->> 'allow_negative_balance' = 'true', NULL::text, NULL::text,
           NULL::text, NULL::text
      FROM accounts a WHERE a.id = ANY (p_accounts);
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

-- What the transactions of bets have moved from their acceptors to their requesters; NULL where those of the two users differ,
-- or another user has one. The settings make plans of key look-ups, as in load_group.
CREATE FUNCTION paid_amounts(p_bets wanted_bet[]) RETURNS TABLE (account_id bigint, id bigint, paid numeric) LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_bitmapscan = off AS $$
  SELECT b.account_id, b.id, CASE WHEN moved.requester = -moved.acceptor AND moved.sum = 0 THEN moved.requester END
    FROM unnest(p_bets) n
    JOIN bets b ON b.account_id = n.account_id AND b.id = n.id
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(each.amount) FILTER (WHERE each.user_id = b.requesting_user_id), 0) AS requester,
            coalesce(sum(each.amount) FILTER (WHERE each.user_id = b.accepting_user_id), 0) AS acceptor,
            coalesce(sum(each.amount), 0) AS sum
       FROM (SELECT x.user_id, CASE x.transaction_type WHEN 'credit' THEN x.amount WHEN 'debit' THEN -x.amount ELSE 0 END AS amount
               FROM bet_trails t JOIN transactions x ON x.account_id = t.account_id AND x.bet_trail_id = t.id
              WHERE t.account_id = b.account_id AND t.bet_id = b.id) each) moved
$$;

-- The terms of a bet never change. No statement of the ledger names these columns; the trigger costs an ordinary update nothing.
CREATE FUNCTION refuse_new_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the terms of a bet stay as they are: % of % refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER bets_terms_stay
  BEFORE UPDATE OF wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place ON bets
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_new_terms();
-- What an acceptance has agreed stays. A trigger BEFORE each row would lock and log the row once more; this one reads the two
-- versions of the row, and calls the function only to refuse.
CREATE TRIGGER bets_agreement_stays
  AFTER UPDATE OF accepting_user_id, effective_odds, effective_amount ON bets FOR EACH ROW
  WHEN ((old.accepting_user_id IS NOT NULL AND new.accepting_user_id IS DISTINCT FROM old.accepting_user_id)
     OR (old.effective_odds IS NOT NULL AND new.effective_odds IS DISTINCT FROM old.effective_odds)
     OR (old.effective_amount IS NOT NULL AND new.effective_amount IS DISTINCT FROM old.effective_amount))
  EXECUTE FUNCTION refuse_new_terms();
