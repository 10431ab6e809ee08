-- A task that runs again calls this with the ids of its earlier runs, under its own locks: an earlier run that was still at its
-- commit has ended by then.
CREATE OR REPLACE FUNCTION refuse_second_run(p_account_ids bigint[], p_run_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(p_account_ids, p_run_ids) AS n (account_id, run_id)
               JOIN event_groups g ON g.account_id = n.account_id AND g.run_id = n.run_id) THEN
    RAISE EXCEPTION 'an earlier run of the group was committed' USING ERRCODE = 'BL001';
  END IF;
END $$;
