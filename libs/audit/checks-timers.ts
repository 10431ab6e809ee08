import type { Pass } from './check.js';
import { PATIENCE } from './checks-bets.js';

/**
 * Since when, by PostgreSQL's clock. That of a sandbox leaps when its business moves it, which changes the account: before, its
 * timers may not have been due.
 */
const dueSince = `
  CASE WHEN a.clock_ahead > 0 THEN greatest(t.fires_at - a.clock_ahead * interval '1 microsecond', a.updated_at)
       ELSE t.fires_at END`;

/** The worker's clock fires them, and cancels the offers. A sandbox that is being deleted has no clock. */
export const firedTimers: Pass = {
  things: 'timers',
  checks: [
    { name: 'a timer fires when its time has come', column: 'overdue' },
    { name: 'a timer that has fired cancels within 15 minutes', column: 'unfinished' },
  ],
  rows: (scope) => `
    SELECT t.account_id, t.scope AS id, CASE t.scope WHEN 0 THEN 'timer' ELSE 'timer of user ' || t.scope END AS subject,
           CASE WHEN ${dueSince} < now() - ${PATIENCE} THEN format('should have fired at %s', t.fires_at) END AS overdue,
           CASE WHEN t.canceling_after IS NOT NULL AND t.fired_at < now() - ${PATIENCE} THEN
             format('has fired at %s, and cancels still', t.fired_at) END AS unfinished
      FROM ${scope.table('cancel_timers')} t LEFT JOIN ${scope.table('accounts')} a ON a.id = t.account_id
     WHERE a.removed_since IS NULL`,
};
