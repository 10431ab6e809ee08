import type { Pass } from './check.js';
import { received, shown } from './facts.js';
import { reachedFrom } from './reconciliations.js';

/** What the account's transactions come to that belong to days after the reconciliation `d`. */
const later = `
  coalesce((SELECT sum(${received}) FROM (${reachedFrom('d.account_id', "((d.day + 1)::timestamp AT TIME ZONE 'UTC')")}) t
             WHERE t.reached >= (d.day + 1)::timestamp AT TIME ZONE 'UTC'), 0)`;

export const reconciliationsOfDays: Pass = {
  things: 'days',
  checks: [
    { name: 'each reconciliation begins where the day before ended', column: 'chained' },
    { name: 'the last reconciliation and the transactions after it = the balances', column: 'present' },
  ],
  readsByKey: true,
  rows: (scope) => `
    SELECT d.account_id, d.day - date '2000-01-01' AS id, 'day ' || d.day AS subject,
           CASE WHEN d.opening_balance <> d.closed_before THEN
             format('begins with %s, the day before ended with %s', ${shown('d.opening_balance')},
                    ${shown('d.closed_before')}) END AS chained,
           CASE WHEN d.is_last AND d.closing_balance + ${later} <> coalesce(held.balance, 0) THEN
             format('ends with %s, and %s came later: the balances are %s', ${shown('d.closing_balance')},
                    ${shown(later)}, ${shown('coalesce(held.balance, 0)')}) END AS present
      FROM (SELECT r.*, lead(r.day) OVER days IS NULL AS is_last,
                   CASE WHEN lag(r.day) OVER days = r.day - 1 THEN lag(r.closing_balance) OVER days END AS closed_before
              FROM ${scope.table('daily_reconciliations')} r WINDOW days AS (PARTITION BY r.account_id ORDER BY r.day)) d
      LEFT JOIN (SELECT account_id, sum(balance) AS balance FROM ${scope.table('balances')} b GROUP BY account_id) held
        ON held.account_id = d.account_id`,
};
