import type { Pass } from './check.js';
import { shown } from './facts.js';
import type { Scope } from './scope.js';

/** What a partial cancel took: no column holds it, but the text of its trail entry names it. */
const canceledParts = ({ trails }: Scope): string => `
  SELECT r.account_id, r.bet_id, round(min(substring(r.description FROM '^Offer canceled for ([0-9.]+) of '))::numeric * 1000000)
           AS amount
    FROM ${trails} r
   WHERE r.offer_status = 'canceled' AND r.description LIKE 'Offer canceled for %' GROUP BY r.account_id, r.bet_id`;

/** What an acceptance or a cancel left of the offer. */
const left = `b.requesting_amount - coalesce(b.effective_amount, canceled.amount, b.requesting_amount)`;

const isRest = 'b.queue_place <> b.id';

/** The offers that were split, and their rests. All offers that come from one have its place in the queue. */
const parts = (scope: Scope): string => `
  SELECT b.account_id, b.id, b.queue_place, b.wager_id, b.requesting_user_id, b.requesting_odds, b.requesting_amount,
         b.allowed_acceptor_ids, b.meta, ${isRest} AS is_rest, ${left} AS left_over,
         lag(${left}) OVER queue AS left_before, lead(b.id) OVER queue AS next_id
    FROM ${scope.bets} b
    LEFT JOIN (${canceledParts(scope)}) canceled ON canceled.account_id = b.account_id AND canceled.bet_id = b.id
   WHERE ${isRest} OR b.effective_amount < b.requesting_amount OR canceled.amount IS NOT NULL
  WINDOW queue AS (PARTITION BY b.account_id, b.queue_place ORDER BY b.id)`;

const termsOf = (row: string): string =>
  ['wager_id', 'requesting_user_id', 'requesting_odds', 'allowed_acceptor_ids', 'meta']
    .map((column) => `${row}.${column}`)
    .join();

/** Each part leaves a rest, which is the next part: so all parts together come to what was offered. */
export const partsOfOffers: Pass = {
  things: 'parts',
  checks: [
    { name: 'what a part of an offer leaves is the next part', column: 'rest' },
    { name: 'a rest has the place in the queue and the terms of an earlier offer', column: 'place' },
  ],
  rows: (scope) => `
    SELECT p.account_id, p.id, 'bet ' || p.id AS subject,
           CASE WHEN p.is_rest AND p.requesting_amount IS DISTINCT FROM p.left_before THEN
                  format('is a rest of %s; what was left is %s', ${shown('p.requesting_amount')},
                         ${shown('coalesce(p.left_before, 0)')})
                WHEN p.left_over <> 0 AND p.next_id IS NULL THEN
                  format('left %s of its offer, and no rest has it', ${shown('p.left_over')}) END AS rest,
           CASE WHEN NOT p.is_rest THEN NULL
                WHEN root.id IS NULL THEN format('has the place of bet %s, which does not exist', p.queue_place)
                WHEN root.id > p.id OR root.queue_place <> root.id OR (${termsOf('root')}) IS DISTINCT FROM (${termsOf('p')})
                THEN format('has the place of bet %s, of which it cannot be the rest', p.queue_place) END AS place
      FROM (${parts(scope)}) p
      LEFT JOIN ${scope.bets} root ON root.account_id = p.account_id AND root.id = p.queue_place`,
};
