import type { Pass } from './check.js';

/** Only money in or out has one. Its transaction is found by key: a closing has ended those up to its last one. */
export const labelsOfMovements: Pass = {
  things: 'labels',
  readsByKey: true,
  checks: [{ name: 'what a business calls a transaction names money in or out', column: 'stray' }],
  rows: (scope) => `
    SELECT l.account_id, l.transaction_id AS id, 'transaction ' || l.transaction_id AS subject,
           CASE WHEN t.id IS NULL THEN format('does not exist, and is called %s', coalesce(l.own_reference, 'nothing'))
                WHEN t.transaction_source NOT IN ('funding', 'withdrawal') THEN
                  format('is a %s transaction, and is called %s', t.transaction_source,
                         coalesce(l.own_reference, 'nothing')) END AS stray
      FROM ${scope.table('movement_labels')} l
      LEFT JOIN (${scope.closedIds}) c (account_id, trail_id, transaction_id) ON c.account_id = l.account_id
      LEFT JOIN transactions t ON t.account_id = l.account_id AND t.id = l.transaction_id
     WHERE l.transaction_id > coalesce(c.transaction_id, 0)`,
};
