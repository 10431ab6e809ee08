import type { Pass } from './check.js';
import { movementSql, receivedSql, shown, withAccount } from './facts.js';
import type { Scope } from './scope.js';

/** The amounts that each trail entry moved for both parties. A settling entry has one pair, a re-settling one two. */
const entries = (scope: Scope): string => `
  SELECT t.account_id, r.bet_id, t.bet_trail_id,
         sum(${receivedSql}) FILTER (WHERE t.user_id = b.requesting_user_id) AS requester,
         sum(${receivedSql}) FILTER (WHERE t.user_id = b.accepting_user_id) AS acceptor,
         count(*) FILTER (WHERE t.user_id = b.requesting_user_id) AS pairs,
         count(*) FILTER (WHERE t.user_id = b.accepting_user_id) AS opposites,
         min(t.id) FILTER (WHERE b.id IS NULL OR t.user_id <> b.requesting_user_id
                             AND t.user_id IS DISTINCT FROM b.accepting_user_id) AS stray,
         min(t.id) FILTER (WHERE (t.transaction_type = 'no-action') <> (t.amount = 0) OR t.amount < 0) AS mistyped
    FROM ${scope.transactions} t
    LEFT JOIN ${scope.trails} r ON r.account_id = t.account_id AND r.id = t.bet_trail_id
    LEFT JOIN ${scope.bets} b ON b.account_id = r.account_id AND b.id = r.bet_id
   WHERE t.transaction_source = 'bet'
   GROUP BY t.account_id, r.bet_id, t.bet_trail_id`;

const isUneven = `coalesce(requester, 0) + coalesce(acceptor, 0) <> 0 OR pairs <> opposites OR pairs NOT IN (1, 2)`;

const movements = (scope: Scope): string => `
  SELECT account_id, bet_id, coalesce(sum(requester), 0) AS requester, coalesce(sum(acceptor), 0) AS acceptor,
         sum(pairs) AS pairs, min(stray) AS stray, min(mistyped) AS mistyped,
         min(bet_trail_id) FILTER (WHERE ${isUneven}) AS uneven
    FROM (${entries(scope)}) entries GROUP BY account_id, bet_id`;

const due = `
  CASE WHEN b.accepting_user_id IS NOT NULL AND b.is_active AND b.settled_outcome IS NOT NULL
       THEN ${movementSql('b.settled_outcome')} ELSE 0 END`;

/** Every step that settles or un-settles writes a pair, even of zeros, so a settled bet has an odd number of them. */
const wrongPairs = `coalesce(m.pairs, 0) % 2 <> CASE WHEN b.settled_outcome IS NULL THEN 0 ELSE 1 END`;

export const movementsOfBets: Pass = {
  things: 'bets',
  checks: [
    { name: 'each bet transaction is of a party of its bet', column: 'stray' },
    { name: 'the transactions of each trail entry are pairs that sum to zero', column: 'uneven' },
    { name: 'the transactions of each bet = its settled outcome', column: 'net' },
    { name: 'no-action = amount 0', column: 'mistyped' },
  ],
  rows: (scope) => `
    SELECT coalesce(b.account_id, m.account_id) AS account_id, coalesce(b.id, m.bet_id, 0) AS id,
           coalesce('bet ' || coalesce(b.id, m.bet_id), 'bets') AS subject,
           CASE WHEN m.stray IS NULL THEN NULL
                WHEN b.id IS NULL THEN format('transaction %s hangs on a trail entry or bet that does not exist', m.stray)
                ELSE format('transaction %s is of a user who is no party of it', m.stray) END AS stray,
           CASE WHEN b.id IS NOT NULL THEN
             'the transactions of trail entry ' || m.uneven || ' are no pairs that sum to zero' END AS uneven,
           CASE WHEN b.id IS NULL THEN NULL
                WHEN coalesce(m.requester, 0) <> ${due} OR coalesce(m.acceptor, 0) <> -(${due}) THEN
                  format('%s moved %s for the requester and %s for the acceptor, should be %s and %s',
                         coalesce('settled as ' || b.settled_outcome, 'not settled'), ${shown('coalesce(m.requester, 0)')},
                         ${shown('coalesce(m.acceptor, 0)')}, ${shown(due)}, ${shown(`-(${due})`)})
                WHEN ${wrongPairs} THEN
                  format('%s, and has %s transactions for each party', coalesce('settled as ' || b.settled_outcome,
                         'not settled'), coalesce(m.pairs, 0)) END AS net,
           'transaction ' || m.mistyped || ' has an amount that its type does not allow' AS mistyped
      FROM ${scope.bets} b
      FULL JOIN (${movements(scope)}) m ON m.account_id = b.account_id AND m.bet_id = b.id
      ${withAccount}`,
};
