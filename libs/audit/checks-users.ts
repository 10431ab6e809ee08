import type { Pass } from './check.js';
import { exposuresFrom, isLoneOffer, positionsFromBets, shown, smallestWith } from './facts.js';
import type { Scope } from './scope.js';

/** Each user's money. FULL JOINs find rows on either side, such as the balance of a user that does not exist. */
export const moneyOfUsers: Pass = {
  things: 'users',
  checks: [
    { name: 'each user has a row of money', column: 'missing' },
    { name: 'balance = sum of the transactions', column: 'balance' },
    { name: 'a funding is a credit, a withdrawal a debit', column: 'direction' },
    { name: 'the last closing = the transactions up to it', column: 'closing' },
    { name: 'exposure = recomputed from the bets', column: 'exposure' },
    { name: 'balance and exposure have no more decimals than the account allows', column: 'fineness' },
  ],
  rows: (scope) => `
    SELECT account_id, user_id AS id, coalesce('user ' || user_id || ' (' || u.reference || ')', 'user ' || user_id) AS subject,
           CASE WHEN u.reference IS NULL THEN 'has money, bets or transactions, but does not exist'
                WHEN stored.balance IS NULL THEN 'has no row in balances' END AS missing,
           CASE WHEN stored.balance <> coalesce(moved.total, 0) THEN
             format('balance is %s, the transactions sum to %s', ${shown('stored.balance')},
                    ${shown('coalesce(moved.total, 0)')}) END AS balance,
           'transaction ' || moved.misdirected || ' moved money the wrong way' AS direction,
           CASE WHEN moved.closed <> coalesce(moved.closed_total, 0) THEN
             format('the last closing is %s, the transactions up to it sum to %s', ${shown('moved.closed')},
                    ${shown('coalesce(moved.closed_total, 0)')}) END AS closing,
           CASE WHEN stored.exposure <> coalesce(risked.exposure, 0) THEN
             format('exposure is %s, the bets come to %s', ${shown('stored.exposure')},
                    ${shown('coalesce(risked.exposure, 0)')}) END AS exposure,
           CASE WHEN stored.balance % ${smallestWith('a.decimals')} <> 0 OR stored.exposure % ${smallestWith('a.decimals')} <> 0 THEN
             format('balance is %s and exposure %s, of an account with %s decimals', ${shown('stored.balance')},
                    ${shown('stored.exposure')}, a.decimals) END AS fineness
      FROM (SELECT account_id, id AS user_id, reference FROM ${scope.table('users')} u) u
      FULL JOIN ${scope.table('balances')} stored USING (account_id, user_id)
      FULL JOIN ${scope.moved} moved USING (account_id, user_id)
      FULL JOIN (${exposuresFrom(positionsFromBets(scope.liveBets))}) risked USING (account_id, user_id)
      LEFT JOIN ${scope.table('accounts')} a ON a.id = account_id`,
};

const figures = (row: string): string =>
  `coalesce(${row}.win, 0), coalesce(${row}.loss, 0), coalesce(${row}.offered, 0)`;

const shownFigures = (row: string): string =>
  ['win', 'loss', 'offered'].map((column) => shown(`coalesce(${row}.${column}, 0)`)).join(', ');

/**
 * Most positions are empty, because all bets in them are settled: they stay out of the join. A lone offer has no row, not
 * even an empty one: the ledger would take that for the position.
 */
export const positionsOfUsers: Pass = {
  things: 'positions',
  checks: [{ name: 'position = recomputed from the bets', column: 'position' }],
  rows: (scope) => `
    SELECT account_id, user_id AS id, 'user ' || user_id || ' in wager ' || wager_id AS subject,
           CASE WHEN (${figures('stored')}) IS DISTINCT FROM (${figures('facts')})
                 AND NOT (stored.win IS NULL AND ${isLoneOffer('facts')} AND NOT EXISTS (
                       SELECT FROM ${scope.table('positions')} p WHERE p.account_id = facts.account_id AND p.user_id = facts.user_id
                          AND p.wager_id = facts.wager_id)) THEN
             CASE WHEN stored.win IS NULL THEN 'has an empty position or none' ELSE
               format('position is win %s, loss %s, offered %s', ${shownFigures('stored')}) END ||
             format('; the bets come to win %s, loss %s, offered %s', ${shownFigures('facts')}) END AS position
      FROM (SELECT * FROM ${scope.table('positions')} p WHERE (win, loss, offered) <> (0, 0, 0)) stored
      FULL JOIN (${positionsFromBets(scope.liveBets)}) facts USING (account_id, user_id, wager_id)`,
};

/** A wrong balance went into them, which a correction has ended. */
const isKnownToBeWrong = (scope: Scope): string => `
  EXISTS (SELECT FROM ${scope.table('balance_corrections')} c
           WHERE c.account_id = chained.account_id AND c.user_id = chained.user_id
             AND chained.id >= c.wrong_from AND chained.id < c.transaction_id)`;

export const balancesAfterTransactions: Pass = {
  things: 'users',
  checks: [{ name: 'balance_after = the running sum of the transactions', column: 'running' }],
  rows: (scope) => `
    SELECT account_id, user_id AS id, 'user ' || user_id AS subject,
           'balance_after of transaction ' || min(id) FILTER (WHERE is_wrong) || ' is not the sum up to it, one of '
             || count(*) FILTER (WHERE is_wrong) AS running
      FROM (SELECT *, stored <> running AND NOT ${isKnownToBeWrong(scope)} AS is_wrong
              FROM ${scope.balancesAfter} chained) each
     GROUP BY account_id, user_id`,
};
