-- A closing is one cut by numbers: bets, trail entries, transactions and events. Every later trail entry and every later
-- transaction has its event after this one.
ALTER TABLE "account_closings" ADD COLUMN "last_event_seq" BIGINT NOT NULL DEFAULT 0;

-- No transaction lives for an hour, and the times of a log never go back: so what came after an older cut has its event
-- after the last event of the hour before the cut.
-- One join for all accounts: a cluster has no LIMIT for each of them.
UPDATE account_closings c SET last_event_seq = n.last_seq
  FROM (SELECT k.account_id, max(g.last_seq) AS last_seq
          FROM account_closings k JOIN event_groups g ON g.account_id = k.account_id
         WHERE g.at < least(k.closed_at, (k.day + 1)::timestamp AT TIME ZONE 'UTC') - interval '1 hour'
         GROUP BY k.account_id) n
 WHERE n.account_id = c.account_id;
