-- Failed ledger work is still tried, so the sweep looks for it as well. The condition is the sweep's own: an index of fewer
-- rows would make it read a week of done entries every two seconds.
DROP INDEX outbox_left_idx;
CREATE INDEX outbox_left_idx ON outbox (created_at)
  WHERE done_at IS NULL AND (failed_at IS NULL OR topic NOT LIKE '%-mail');

-- Housekeeping deletes the oldest answers all the time, and a search for the oldest passes the deleted ones until a vacuum.
ALTER TABLE stored_answers SET (autovacuum_vacuum_scale_factor = 0.02);
