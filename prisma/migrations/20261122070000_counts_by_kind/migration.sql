-- On a node of a cluster a table's shards have names of their own, so the trigger says which rows it counts.
CREATE OR REPLACE FUNCTION count_inserted_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_counts AS counted (account_id, kind, shard, rows)
    SELECT account_id, TG_ARGV[0], pg_backend_pid() % 16, count(*)
      FROM inserted GROUP BY account_id ORDER BY account_id
    ON CONFLICT (account_id, kind, shard) DO UPDATE SET rows = counted.rows + excluded.rows;
  RETURN NULL;
END $$;

DROP TRIGGER users_count ON users;
CREATE TRIGGER users_count AFTER INSERT ON users REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_rows('users');
