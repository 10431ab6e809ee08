import type { Outcome } from '#core/outcome.js';
import { scalars, texts } from '#platform/database/array-literal.js';
import { Prisma, type Queryable, type Tx } from '#platform/database/database.js';
import { type BetRow, betColumns } from './bet-rows.js';

/** A request for bets of one wager whose state does not fit the outcome yet. */
export interface PendingSlice {
  readonly accountId: bigint;
  readonly wagerId: bigint;
  readonly outcome: Outcome;
  readonly limit: number;
}

export interface PendingBet extends BetRow {
  /** Index of the requested slice that holds the bet. */
  readonly slice: number;
}

/** The core's `isPending` in SQL: whether the bet with this alias would have to move under the outcome. */
export const isPending = (bet: Prisma.Sql, outcome: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN ${bet}.accepting_user_id IS NULL
       THEN ${bet}.offer_status <> 'canceled' AND ${bet}.offer_status <>
            CASE WHEN ${outcome} <> 'undecided' OR coalesce(${bet}.override_outcome, 'undecided') <> 'undecided'
                 THEN 'expired' ELSE 'requesting' END
       ELSE ${bet}.settled_outcome IS DISTINCT FROM
            CASE WHEN ${bet}.is_active THEN nullif(coalesce(${bet}.override_outcome, ${outcome}), 'undecided') END
  END`;

/**
 * The same bets, found by their state in `bets_state_idx`, so that the statement skips those that are settled already:
 * offers, then bets never settled, then bets settled by another outcome. A bet with an override is never pending.
 *
 * The order is that of the index, and an offer is recognised by its missing amount: with any other order or column the
 * planner may scan an index of the whole account when one wager holds most of its bets.
 */
export async function loadPending(tx: Tx, slices: readonly PendingSlice[]): Promise<PendingBet[]> {
  return tx.$queryRaw<PendingBet[]>`/* prepared: load pending bets */
    SELECT (n.place - 1)::int AS slice, ${betColumns}
      FROM unnest(${scalars(slices.map(({ accountId }) => accountId))}::bigint[],
                  ${scalars(slices.map(({ wagerId }) => wagerId))}::bigint[],
                  ${texts(slices.map(({ outcome }) => outcome))}::text[],
                  ${scalars(slices.map(({ limit }) => limit))}::int[])
           WITH ORDINALITY AS n (account_id, wager_id, outcome, bound, place)
     CROSS JOIN LATERAL (
       SELECT * FROM (
         (SELECT o.* FROM bets o
           WHERE o.account_id = n.account_id AND o.wager_id = n.wager_id
             AND o.offer_status = CASE WHEN n.outcome = 'undecided' THEN 'expired' ELSE 'requesting' END
             AND o.settled_outcome IS NULL AND o.effective_amount IS NULL
             AND (n.outcome <> 'undecided' OR coalesce(o.override_outcome, 'undecided') = 'undecided')
           ORDER BY o.settled_outcome, o.id LIMIT n.bound)
         UNION ALL
         (SELECT o.* FROM bets o
           WHERE o.account_id = n.account_id AND o.wager_id = n.wager_id AND o.offer_status = 'accepted'
             AND o.settled_outcome IS NULL AND o.override_outcome IS NULL AND o.is_active
             AND n.outcome <> 'undecided'
           ORDER BY o.settled_outcome, o.id LIMIT n.bound)
         UNION ALL
         (SELECT o.* FROM bets o
           WHERE o.account_id = n.account_id AND o.wager_id = n.wager_id AND o.offer_status = 'accepted'
             AND o.settled_outcome < n.outcome AND o.override_outcome IS NULL
           ORDER BY o.settled_outcome, o.id LIMIT n.bound)
         UNION ALL
         (SELECT o.* FROM bets o
           WHERE o.account_id = n.account_id AND o.wager_id = n.wager_id AND o.offer_status = 'accepted'
             AND o.settled_outcome > n.outcome AND o.override_outcome IS NULL
           ORDER BY o.settled_outcome, o.id LIMIT n.bound)
       ) AS pending LIMIT n.bound) b`;
}

/**
 * The number of bets that would be pending under the outcome; 0 when there is no such wager. It reads every bet of the
 * wager, so no transaction that holds the wager calls it.
 */
export async function countPendingUnder(
  database: Queryable,
  { accountId, reference, outcome }: { readonly accountId: bigint; readonly reference: string; outcome: Outcome },
): Promise<number> {
  const [row] = await database.$queryRaw<[{ count: bigint }]>`
    SELECT count(*) FROM wagers w JOIN bets b ON b.account_id = w.account_id AND b.wager_id = w.id
     WHERE w.account_id = ${accountId} AND w.reference = ${reference}
       AND ${isPending(Prisma.sql`b`, Prisma.sql`${outcome}`)}`;
  return Number(row.count);
}

/** The same under the present outcome of the wager. */
export async function countPendingOf(
  database: Queryable,
  { accountId, wagerId }: Pick<PendingSlice, 'accountId' | 'wagerId'>,
): Promise<number> {
  const [row] = await database.$queryRaw<[{ count: bigint }]>`
    SELECT count(*) FROM wagers w JOIN bets b ON b.account_id = w.account_id AND b.wager_id = w.id
     WHERE w.account_id = ${accountId} AND w.id = ${wagerId} AND ${isPending(Prisma.sql`b`, Prisma.sql`w.outcome`)}`;
  return Number(row.count);
}
