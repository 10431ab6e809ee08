-- A closing is one cut by numbers: bets, trail entries, transactions and events. Every later trail entry and every later
-- transaction has its event after this one.
ALTER TABLE "account_closings" ADD COLUMN "last_event_seq" BIGINT NOT NULL DEFAULT 0;

-- No transaction lives for an hour, and the times of a log never go back: so what came after an older cut has its event
-- after the last event of the hour before the cut.
UPDATE account_closings c
   SET last_event_seq = coalesce((
     SELECT g.last_seq FROM event_groups g
      WHERE g.account_id = c.account_id
        AND g.at < least(c.closed_at, (c.day + 1)::timestamp AT TIME ZONE 'UTC') - interval '1 hour'
      ORDER BY g.last_seq DESC LIMIT 1), 0);
