import type { Pass } from './check.js';
import { PATIENCE } from './checks-bets.js';

/** Mails are retried for about an hour while the mail server is away; exports wait for each other. */
const patience = `CASE WHEN o.topic LIKE '%-mail' OR o.topic IN ('make-export', 'make-preview') THEN interval '2 hours' ELSE ${PATIENCE} END`;

/** The outbox. A failed mail waits for a provider and affects no money; failed ledger work is a fault. */
export const waitingWork: Pass = {
  things: 'outbox entries',
  checks: [
    { name: 'work of the outbox is done within 15 minutes, mails and exports within 2 hours', column: 'late' },
    { name: 'no settlement or check of portfolios has failed', column: 'failed' },
    { name: 'work on a wager names one that exists', column: 'aimless' },
  ],
  rows: (scope) => `
    SELECT o.account_id, o.id, format('outbox entry %s (%s)', o.id, o.topic) AS subject,
           CASE WHEN o.failed_at IS NULL AND o.created_at < now() - ${patience} THEN
             format('is undone since %s', date_trunc('second', o.created_at)) END AS late,
           CASE WHEN o.failed_at IS NOT NULL AND o.topic IN ('settle-wager', 'cancel-offers', 'check-portfolios') THEN
             format('of wager %s failed: %s', o.payload ->> 'wagerId', o.failure) END AS failed,
           CASE WHEN o.topic IN ('settle-wager', 'cancel-offers', 'check-portfolios') AND w.id IS NULL THEN
             format('is about wager %s, which does not exist', o.payload ->> 'wagerId') END AS aimless
      FROM ${scope.table('outbox')} o
      LEFT JOIN ${scope.table('wagers')} w ON w.account_id = o.account_id AND w.id::text = o.payload ->> 'wagerId'
     WHERE o.done_at IS NULL`,
};
