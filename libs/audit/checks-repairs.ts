import type { Pass } from './check.js';
import { received, shown } from './facts.js';

/** A repair sets a balance to what the transactions come to at that moment, and says from what. */
export const repairsOfBalances: Pass = {
  things: 'repairs',
  checks: [{ name: 'a repaired balance = the transactions at that moment', column: 'repair' }],
  readsByKey: true,
  rows: (scope) => `
    SELECT r.account_id, r.id, 'user ' || r.user_id AS subject,
           CASE WHEN r.recomputed <> coalesce(moved.total, 0) THEN
             format('repair %s set the balance from %s to %s, the transactions summed to %s', r.id, ${shown('r.stored')},
                    ${shown('r.recomputed')}, ${shown('coalesce(moved.total, 0)')}) END AS repair
      FROM ${scope.repairs} r
      LEFT JOIN LATERAL (SELECT sum(${received}) AS total FROM transactions t
                          WHERE t.account_id = r.account_id AND t.user_id = r.user_id AND t.id <= r.last_transaction_id)
                AS moved ON true
     WHERE r.figure = 'balance'`,
};
