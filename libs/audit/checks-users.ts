import type { Pass } from './check.js';
import { exposuresFrom, positionsFromBets, received, shown } from './facts.js';

/** Each user's money. Whoever stands on one side only is found too: rows of a user that does not exist, for instance. */
export const moneyOfUsers: Pass = {
  things: 'users',
  checks: [
    { name: 'each user has a row of money', column: 'missing' },
    { name: 'balance = sum of the transactions', column: 'balance' },
    { name: 'exposure = recomputed from the bets', column: 'exposure' },
  ],
  rows: `
    SELECT account_id, user_id AS id, coalesce('user ' || user_id || ' (' || u.reference || ')', 'user ' || user_id) AS subject,
           CASE WHEN u.reference IS NULL THEN 'has money, bets or transactions, but does not exist'
                WHEN kept.balance IS NULL THEN 'has no row in balances' END AS missing,
           CASE WHEN kept.balance <> coalesce(moved.total, 0) THEN
             format('balance is %s, the transactions sum to %s', ${shown('kept.balance')},
                    ${shown('coalesce(moved.total, 0)')}) END AS balance,
           CASE WHEN kept.exposure <> coalesce(risked.exposure, 0) THEN
             format('exposure is %s, the bets come to %s', ${shown('kept.exposure')},
                    ${shown('coalesce(risked.exposure, 0)')}) END AS exposure
      FROM (SELECT account_id, id AS user_id, reference FROM users) u
      FULL JOIN balances kept USING (account_id, user_id)
      FULL JOIN (SELECT t.account_id, t.user_id, sum(${received}) AS total
                   FROM transactions t GROUP BY t.account_id, t.user_id) moved USING (account_id, user_id)
      FULL JOIN (${exposuresFrom(positionsFromBets())}) risked USING (account_id, user_id)`,
};

const figures = (row: string): string =>
  `coalesce(${row}.win, 0), coalesce(${row}.loss, 0), coalesce(${row}.offered, 0)`;

const shownFigures = (row: string): string =>
  ['win', 'loss', 'offered'].map((column) => shown(`coalesce(${row}.${column}, 0)`)).join(', ');

export const positionsOfUsers: Pass = {
  things: 'positions',
  checks: [{ name: 'position = recomputed from the bets', column: 'position' }],
  rows: `
    SELECT account_id, user_id AS id, 'user ' || user_id || ' in wager ' || wager_id AS subject,
           CASE WHEN (${figures('kept')}) IS DISTINCT FROM (${figures('facts')}) THEN
             CASE WHEN kept.win IS NULL THEN 'has no position' ELSE
               format('position is win %s, loss %s, offered %s', ${shownFigures('kept')}) END ||
             format('; the bets come to win %s, loss %s, offered %s', ${shownFigures('facts')}) END AS position
      FROM positions kept FULL JOIN (${positionsFromBets()}) facts USING (account_id, user_id, wager_id)`,
};
