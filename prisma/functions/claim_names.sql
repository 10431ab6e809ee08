-- Claims the names until the end of the transaction. Returns those that it got; when it waits, that is all of them.
CREATE OR REPLACE FUNCTION claim_names(p_waits boolean, p_seed bigint, p_names wanted_name[]) RETURNS wanted_name[]
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
