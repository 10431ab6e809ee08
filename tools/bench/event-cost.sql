-- What the event log costs, on any database with events: psql -f tools/bench/event-cost.sql. It rolls its writes back.
\timing off
\echo bytes on disk of an event: all, and those of groups of 1,000 and more (settlements)
SELECT round(pg_total_relation_size('event_groups')::numeric / nullif(sum(last_seq - first_seq + 1), 0), 1) AS all_events,
       round(sum(pg_column_size(g.*)) FILTER (WHERE last_seq - first_seq >= 999)::numeric
             / nullif(sum(last_seq - first_seq + 1) FILTER (WHERE last_seq - first_seq >= 999), 0), 1) AS in_large_groups
  FROM event_groups g;

\echo WAL bytes and microseconds of the events of a group, for the account with the longest log; rolled back
BEGIN;
CREATE TEMPORARY TABLE event_cost (events int, wal numeric, microseconds numeric) ON COMMIT DROP;
DO $$
DECLARE
  before_lsn pg_lsn;
  began timestamptz;
  size int;
BEGIN
  FOREACH size IN ARRAY ARRAY[1, 10, 50, 200, 2000] LOOP
    FOR round IN 1..20 LOOP
      before_lsn := pg_current_wal_insert_lsn();
      began := clock_timestamp();
      PERFORM append_events(ARRAY[ROW(account_id, array_fill(4::smallint, ARRAY[size]),
                ARRAY(SELECT last_ref + n FROM generate_series(1, size) n), NULL,
                (SELECT string_agg(format('%s key:7:12 ~%s', size / least(size, 200), left(md5(random()::text), 22)), E'\n')
                   FROM generate_series(1, least(size, 200))),
                NULL, NULL)::logged_group])
         FROM (SELECT account_id, last_ref FROM event_heads ORDER BY last_seq DESC LIMIT 1) h;
      INSERT INTO event_cost VALUES (size, pg_current_wal_insert_lsn() - before_lsn,
                                     extract(epoch FROM clock_timestamp() - began) * 1000000);
    END LOOP;
  END LOOP;
END $$;
SELECT events, percentile_disc(0.5) WITHIN GROUP (ORDER BY wal) AS wal_bytes,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY microseconds) AS microseconds
  FROM event_cost GROUP BY events ORDER BY events;
ROLLBACK;

\echo bytes on disk of an event, by the operations of a transaction and the events of each
BEGIN;
CREATE TEMPORARY TABLE stored (LIKE event_groups INCLUDING ALL) ON COMMIT DROP;
CREATE TEMPORARY TABLE stored_bytes (operations int, events int, bytes numeric) ON COMMIT DROP;
DO $$
DECLARE
  shape int[];
  size int;
BEGIN
  FOREACH shape SLICE 1 IN ARRAY ARRAY[[1, 1], [17, 1], [69, 1], [1, 2000]] LOOP
    TRUNCATE stored;
    size := shape[1] * shape[2];
    INSERT INTO stored SELECT 7, n * size + 1, (n + 1) * size, now(), array_fill(9::smallint, ARRAY[size]),
        ARRAY(SELECT 8000000 + n * size + i FROM generate_series(1, size) i),
        (SELECT string_agg(format('%s key:7:12 ~%s', shape[2], left(md5(random()::text), 22)), E'\n') FROM generate_series(1, shape[1])),
        NULL
      FROM generate_series(0, 200000 / size) n;
    INSERT INTO stored_bytes VALUES (shape[1], shape[2], pg_total_relation_size('stored')::numeric / (SELECT sum(last_seq - first_seq + 1) FROM stored));
  END LOOP;
END $$;
SELECT operations, events, round(bytes, 1) AS bytes FROM stored_bytes ORDER BY 1, 2;
ROLLBACK;

\echo the rows of a page of 1,000 events, from the middle of the longest log
EXPLAIN (ANALYZE, BUFFERS)
SELECT g.first_seq, array_to_string(g.kinds, ' '), array_to_string(g.refs, ' '), g.operations, g.extras
  FROM event_groups g, (SELECT account_id, last_seq / 2 AS after FROM event_heads ORDER BY last_seq DESC LIMIT 1) h
 WHERE g.account_id = h.account_id AND g.last_seq > h.after AND g.last_seq <= h.after + 1000
 ORDER BY g.last_seq;
