import { eventKinds } from '#core/records.js';
import { Prisma, type Tx } from '#platform/database/database.js';

/*
 * What the events of each hour come to, of an account, of its wagers and of its users. The index of the log adds each of its
 * blocks, in the transaction that moves its mark: the sums are of the events up to that mark. The hours are UTC.
 */

const { 'bet.settled': SETTLED, 'bet.unsettled': UNSETTLED, 'bet.deactivated': DEACTIVATED } = eventKinds;
const { 'offer.matched': MATCHED, 'bet.activated': ACTIVATED } = eventKinds;
const COUNTED = Prisma.sql`(${Prisma.join([MATCHED, SETTLED, UNSETTLED, ACTIVATED, DEACTIVATED])})`;
/** A step that settles a settled bet again has the two that give back as well. */
const PAYMENTS_OF_RESETTLING = 4;

/** What the acceptor loses when the outcome is `win`, by the decimals of account `a`. */
const winnings = Prisma.sql`
  CASE WHEN a.decimals IS NULL THEN round(t.effective_amount::numeric * (t.effective_odds - 1000000) / 1000000)
       ELSE div(t.effective_amount::numeric * (t.effective_odds - 1000000), power(10::numeric, 12 - a.decimals))
            * power(10::numeric, 6 - a.decimals) END`;

interface EventRange {
  /** The first number and the last, both included: values or scalar subqueries. */
  readonly from: Prisma.Sql | bigint;
  readonly until: Prisma.Sql | bigint;
}

/**
 * A row for each subject and hour that these events add to. `change`: of the gross exposure. A bet counts there from its match on, but
 * while it is settled or inactive; each event says by itself how that changes.
 */
export const sumsOfHours = (accountId: bigint, { from, until }: EventRange): Prisma.Sql => Prisma.sql`
  SELECT s.subject, e.hour, count(*) FILTER (WHERE e.kind = ${MATCHED}) AS matched_bets,
         coalesce(sum(e.effective_amount) FILTER (WHERE e.kind = ${MATCHED}), 0) AS matched_amount,
         count(*) FILTER (WHERE e.kind = ${SETTLED}) AS settled_bets, sum(e.moved) AS settled_amount,
         sum(e.direction * s.at_risk) AS change
    FROM (SELECT g.hour, g.kind, t.bet_id, t.wager_id, t.effective_amount, ${winnings} AS winnings, coalesce(paid.moved, 0) AS moved,
                 CASE WHEN g.kind IN (${MATCHED}, ${UNSETTLED}, ${ACTIVATED}) THEN 1
                      WHEN paid.payments = ${PAYMENTS_OF_RESETTLING} THEN 0 ELSE -1 END AS direction
            FROM (SELECT date_trunc('hour', g.at, 'UTC') AS hour, e.kind, e.ref
                    FROM event_groups g CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
                   WHERE g.account_id = ${accountId} AND g.last_seq >= ${from}::bigint
                     AND g.last_seq <= (SELECT coalesce(min(l.last_seq), 9223372036854775807) FROM event_groups l
                                         WHERE l.account_id = ${accountId} AND l.last_seq >= ${until}::bigint)
                     AND g.first_seq + e.place - 1 BETWEEN ${from}::bigint AND ${until}::bigint AND e.kind IN ${COUNTED}) g
           CROSS JOIN LATERAL (SELECT * FROM bet_trails t WHERE t.account_id = ${accountId} AND t.id = g.ref
                                  AND t.effective_amount IS NOT NULL OFFSET 0) t
           CROSS JOIN (SELECT decimals FROM accounts WHERE id = ${accountId}) a
           CROSS JOIN LATERAL (
             SELECT count(*) AS payments, sum(x.amount) FILTER (WHERE x.transaction_type = 'credit') AS moved
               FROM transactions x
              WHERE g.kind IN (${SETTLED}, ${UNSETTLED}) AND x.account_id = ${accountId}
                AND x.id BETWEEN t.first_transaction_id AND t.last_transaction_id AND x.bet_trail_id = t.id) paid
          OFFSET 0) e
   CROSS JOIN LATERAL (
     SELECT requesting_user_id, accepting_user_id FROM bets WHERE account_id = ${accountId} AND id = e.bet_id OFFSET 0) b
   CROSS JOIN LATERAL (VALUES (3::bigint, e.effective_amount + e.winnings), (e.wager_id * 4 + 1, e.effective_amount + e.winnings),
                              (b.requesting_user_id * 4, e.effective_amount), (b.accepting_user_id * 4, e.winnings)) AS s (subject, at_risk)
   GROUP BY s.subject, e.hour`;

/** Adds the events that come next after those that are in the sums. Times of a log do not go back. */
export const addToHours = (tx: Tx, accountId: bigint, range: { readonly from: bigint; readonly until: bigint }) =>
  tx.$executeRaw`
    INSERT INTO hourly_sums AS stored (account_id, subject, hour, matched_bets, matched_amount, settled_bets, settled_amount, gross_exposure)
    SELECT ${accountId}, n.subject, n.hour, n.matched_bets, n.matched_amount, n.settled_bets, n.settled_amount,
           coalesce(last.gross_exposure, 0) + sum(n.change) OVER (PARTITION BY n.subject ORDER BY n.hour)
      FROM (${sumsOfHours(accountId, range)}) n
      LEFT JOIN LATERAL (SELECT l.gross_exposure FROM hourly_sums l WHERE l.account_id = ${accountId} AND l.subject = n.subject
                          ORDER BY l.hour DESC LIMIT 1) last ON TRUE
        ON CONFLICT (account_id, subject, hour) DO UPDATE
       SET matched_bets = stored.matched_bets + excluded.matched_bets, matched_amount = stored.matched_amount + excluded.matched_amount,
           settled_bets = stored.settled_bets + excluded.settled_bets, settled_amount = stored.settled_amount + excluded.settled_amount,
           gross_exposure = excluded.gross_exposure`;
