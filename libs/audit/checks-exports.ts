import type { Pass } from './check.js';

/** Exports and the outbox entries that ask for them. CHECK constraints hold what a finished export must say. */
export const unfinishedExports: Pass = {
  things: 'exports',
  checks: [
    { name: 'an export has work waiting exactly until it ends', column: 'work' },
    { name: 'at most two exports of an account run at the same time', column: 'crowd' },
  ],
  rows: (scope) => `
    SELECT e.account_id, e.id, 'export ' || e.id AS subject,
           CASE WHEN e.state IN ('queued', 'running') AND coalesce(o.entries, 0) = 0 THEN
             format('is %s, and no undone make-export entry of the outbox asks for it', e.state)
                WHEN e.state IN ('done', 'failed') AND o.entries > 0 THEN
             format('is %s, and an undone make-export entry of the outbox asks for it', e.state) END AS work,
           CASE WHEN e.state = 'running' AND e.running > 2 THEN
             format('is one of %s that run at the same time', e.running) END AS crowd
      FROM (SELECT x.*, count(*) FILTER (WHERE x.state = 'running') OVER (PARTITION BY x.account_id) AS running
              FROM ${scope.table('exports')} x) e
      LEFT JOIN (SELECT account_id, payload ->> 'exportId' AS export_id, count(*) AS entries
                   FROM ${scope.table('outbox')} undone
                  WHERE topic = 'make-export' AND done_at IS NULL GROUP BY account_id, payload ->> 'exportId') o
        ON o.account_id = e.account_id AND o.export_id = e.id::text`,
};
