import type { Pass } from './check.js';
import { shown } from './facts.js';
import type { Scope } from './scope.js';

const openOffers = ({ liveBets }: Scope): string => `
  SELECT account_id, count(*) AS open_bets, sum(requesting_amount) AS open_amount
    FROM ${liveBets} b WHERE offer_status = 'requesting' AND is_active GROUP BY account_id`;

const maintainedTotals = (scope: Scope): string => `
  SELECT account_id, sum(bets) AS bets, sum(open_bets) AS open_bets, sum(open_amount) AS open_amount,
         sum(transactions) AS transactions
    FROM ${scope.table('ledger_totals')} totals GROUP BY account_id`;

const totalsOf = (...rows: readonly [string, string, string, string]): string =>
  `coalesce(${rows[0]}, 0), coalesce(${rows[1]}, 0), coalesce(${rows[2]}, 0), coalesce(${rows[3]}, 0)`;

const maintained = totalsOf(
  'maintained.bets',
  'maintained.open_bets',
  shown('maintained.open_amount'),
  'maintained.transactions',
);
const counted = totalsOf('b.bets', 'open.open_bets', shown('open.open_amount'), 't.transactions');
const shownTotals = 'bets %s, open %s, their amount %s, transactions %s';

/** The totals that lists show without counting, and the money of all users, which no bet can change. */
export const totalsOfAccounts: Pass = {
  things: 'accounts',
  checks: [
    { name: 'maintained totals of bets and transactions = counted', column: 'totals' },
    { name: 'maintained number of users = counted', column: 'users' },
    { name: 'the bet transactions of all users sum to zero', column: 'sum' },
  ],
  rows: (scope) => `
    SELECT a.id AS account_id, a.id, '' AS subject,
           CASE WHEN (${maintained}) IS DISTINCT FROM (${counted}) THEN
             format('totals say ${shownTotals}; counted: ${shownTotals}', ${maintained}, ${counted}) END AS totals,
           CASE WHEN coalesce(known.users, 0) <> coalesce(u.users, 0) THEN
             format('totals say %s users, counted: %s', coalesce(known.users, 0), coalesce(u.users, 0)) END AS users,
           CASE WHEN t.bet_sum <> 0 THEN format('its bets moved %s in all', ${shown('t.bet_sum')}) END AS sum
      FROM ${scope.table('accounts')} a
      LEFT JOIN ${scope.betCounts} b ON b.account_id = a.id
      LEFT JOIN (${openOffers(scope)}) open ON open.account_id = a.id
      LEFT JOIN ${scope.transactionCounts} t ON t.account_id = a.id
      LEFT JOIN (${maintainedTotals(scope)}) maintained ON maintained.account_id = a.id
      LEFT JOIN (SELECT account_id, count(*) AS users FROM ${scope.table('users')} u GROUP BY account_id) u
        ON u.account_id = a.id
      LEFT JOIN (SELECT account_id, sum(rows) AS users FROM ${scope.table('row_counts')} counts
                  WHERE kind = 'users' GROUP BY account_id) known ON known.account_id = a.id`,
};
