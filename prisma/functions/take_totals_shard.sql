-- Exact totals without counting, one row for each account and shard. A transaction holds its shards until it ends, so
-- nobody ever waits for a row of totals, and they cannot be part of a deadlock: a backend begins at a shard of its own
-- and takes the next one that is free. Only with more than 64 transactions writing at once does one have to wait.
CREATE OR REPLACE FUNCTION take_totals_shard() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  shards CONSTANT integer := 64;
  -- Any constant serves: it sets these locks apart from other advisory ones.
  purpose CONSTANT integer := 7266002;
  home CONSTANT integer := pg_backend_pid() % shards;
BEGIN
  FOR step IN 0 .. shards - 1 LOOP
    IF pg_try_advisory_xact_lock(purpose, (home + step) % shards) THEN
      RETURN (home + step) % shards;
    END IF;
  END LOOP;
  PERFORM pg_advisory_xact_lock(purpose, home);
  RETURN home;
END $$;
