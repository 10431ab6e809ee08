import type { Pass } from './check.js';
import { receivedSql, shown } from './facts.js';
import { reachedFrom } from './reconciliations.js';
import type { Scope } from './scope.js';

const dayEnd = `((d.day + 1)::timestamp AT TIME ZONE 'UTC')`;

/** Closings are cut by id: what the cut has of the day after, because ids and times are not quite in one order. */
const ofNextDay = `
  coalesce((SELECT sum(${receivedSql}) FROM (${reachedFrom('d.account_id', dayEnd)}) t
             WHERE t.reached >= ${dayEnd} AND t.id <= c.last_transaction_id), 0)`;

const closed = (scope: Scope): string => `
  SELECT account_id, sum(balance) AS balance FROM (
    SELECT DISTINCT ON (u.account_id, u.user_id) u.account_id, u.balance
      FROM ${scope.table('daily_closings')} u ORDER BY u.account_id, u.user_id, u.day DESC) last
   GROUP BY account_id`;

/** The closings themselves are compared with the transactions. A day whose audit found differences has those balances. */
export const reconciliationsOfDays: Pass = {
  things: 'accounts',
  checks: [{ name: 'the last reconciliation = the closings of its day', column: 'closing' }],
  readsByKey: true,
  rows: (scope) => `
    SELECT account_id, account_id AS id, 'day ' || day AS subject,
           CASE WHEN reconciled <> due THEN
             format('ends with %s, the closings of its users come to %s', ${shown('reconciled')}, ${shown('due')}) END AS closing
      FROM (SELECT d.account_id, d.day, d.closing_balance AS reconciled, coalesce(users.balance, 0) - ${ofNextDay} AS due
              FROM ${scope.table('daily_reconciliations')} d
              JOIN ${scope.table('account_closings')} c ON c.account_id = d.account_id AND c.day = d.day
              LEFT JOIN (${closed(scope)}) users ON users.account_id = d.account_id
             WHERE d.failed_checks = 0) days`,
};
