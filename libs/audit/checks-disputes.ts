import type { Pass } from './check.js';

/** A scrape counts the rows of `disputes`; the ledger reads the balance. */
export const disputesOfBalances: Pass = {
  things: 'disputes',
  checks: [{ name: 'a balance is disputed exactly while its user has a dispute', column: 'disputed' }],
  rows: (scope) => `
    SELECT coalesce(b.account_id, d.account_id) AS account_id, coalesce(b.user_id, d.user_id) AS id,
           'user ' || coalesce(b.user_id, d.user_id) AS subject,
           CASE WHEN d.user_id IS NULL THEN 'is disputed without a dispute'
                WHEN b.user_id IS NULL THEN 'has a dispute, and its balance is not disputed' END AS disputed
      FROM (SELECT account_id, user_id FROM ${scope.table('balances')} stored WHERE disputed_since IS NOT NULL) b
      FULL JOIN ${scope.table('disputes')} d ON d.account_id = b.account_id AND d.user_id = b.user_id`,
};
