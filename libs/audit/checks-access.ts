import type { Pass } from './check.js';

/** The newest change of status that is not deleted with age. */
const lastStatuses = (events: string): string => `
  SELECT DISTINCT ON (account_id) account_id, "after" ->> 'status' AS status
    FROM ${events} e WHERE type = 'status-changed' ORDER BY account_id, id DESC`;

/** What accounts store of their access. */
export const accessOfAccounts: Pass = {
  things: 'accounts',
  checks: [
    { name: 'the date of the keys of an account = its newest key', column: 'keys' },
    { name: 'the status of an account = its last change of status', column: 'status' },
  ],
  rows: (scope) => `
    SELECT a.id AS account_id, a.id, '' AS subject,
           CASE WHEN a.api_key_generated_at IS DISTINCT FROM k.newest THEN
             format('says that its newest key is of %s, it is of %s', coalesce(a.api_key_generated_at::text, 'never'),
                    coalesce(k.newest::text, 'never')) END AS keys,
           CASE WHEN a.status <> e.status THEN
             format('is %s, its last event says %s', a.status, e.status) END AS status
      FROM ${scope.table('accounts')} a
      LEFT JOIN (SELECT account_id, max(created_at) AS newest FROM ${scope.table('api_keys')} keys GROUP BY account_id) k
        ON k.account_id = a.id
      LEFT JOIN (${lastStatuses(scope.table('account_events'))}) e ON e.account_id = a.id`,
};
