-- The few that were given up: metrics count them, operators look at them.
CREATE INDEX outbox_failed_idx ON outbox (failed_at) WHERE done_at IS NULL AND failed_at IS NOT NULL;
