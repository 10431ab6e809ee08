-- AlterTable
ALTER TABLE "event_groups" ADD COLUMN "run_id" UUID;

-- What schema.prisma cannot say stands below.

-- The id of the run of a group of tasks, drawn before the run begins. Two commits of one run violate the index. Events of
-- accounts, users and exports have none.
CREATE UNIQUE INDEX event_groups_run_idx ON event_groups (account_id, run_id) WHERE run_id IS NOT NULL;
ALTER TYPE logged_group ADD ATTRIBUTE run_id uuid;

-- A task that runs again calls this with the ids of its earlier runs, under its own locks: an earlier run that was still at its
-- commit has ended by then.
CREATE FUNCTION refuse_second_run(p_account_ids bigint[], p_run_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_groups g WHERE g.account_id = ANY (p_account_ids) AND g.run_id = ANY (p_run_ids)) THEN
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
