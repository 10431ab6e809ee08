import type { Outcome } from '#core/records.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';

/** The core's `isPending` in SQL: whether the bet with this alias would have to move under the outcome. */
export const isPendingSql = (bet: Prisma.Sql, outcome: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN ${bet}.accepting_user_id IS NULL
       THEN ${bet}.offer_status <> 'canceled' AND ${bet}.offer_status <>
            CASE WHEN ${bet}.timed_out OR ${outcome} <> 'undecided' OR coalesce(${bet}.override_outcome, 'undecided') <> 'undecided'
                 THEN 'expired' ELSE 'requesting' END
       ELSE ${bet}.settled_outcome IS DISTINCT FROM
            CASE WHEN ${bet}.is_active THEN nullif(coalesce(${bet}.override_outcome, ${outcome}), 'undecided') END
  END`;

const isOpen = Prisma.sql`offer_status = 'requesting' AND is_active`;

/** All bets of a wager. Open offers and all other bets have indexes of their own. */
export const betsOfWager = (accountId: Prisma.Sql, wagerId: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  SELECT * FROM bets WHERE account_id = ${accountId} AND wager_id = ${wagerId} AND ${isOpen}
  UNION ALL
  SELECT * FROM bets WHERE account_id = ${accountId} AND wager_id = ${wagerId} AND NOT (${isOpen}))`;

const betsOfW = betsOfWager(Prisma.sql`w.account_id`, Prisma.sql`w.id`);

/**
 * The number of bets that would be pending under the outcome; 0 when there is no such wager. It reads every bet of the
 * wager, so no transaction that holds the wager calls it.
 */
export async function countPendingUnder(
  tables: AccountTables | Tx,
  { accountId, reference, outcome }: { readonly accountId: bigint; readonly reference: string; outcome: Outcome },
): Promise<number> {
  const [row] = await queryRows<{ count: bigint }>(
    tables,
    Prisma.sql`
    SELECT count(*) FROM wagers w CROSS JOIN LATERAL ${betsOfW} b
     WHERE w.account_id = ${accountId} AND w.reference = ${reference}
       AND ${isPendingSql(Prisma.sql`b`, Prisma.sql`${outcome}`)}`,
  );
  return Number(row?.count);
}

/** The same under the present outcome of the wager. */
export async function countPendingOf(
  tables: AccountTables | Tx,
  { accountId, wagerId }: { readonly accountId: bigint; readonly wagerId: bigint },
): Promise<number> {
  const [row] = await queryRows<{ count: bigint }>(
    tables,
    Prisma.sql`
    SELECT count(*) FROM wagers w CROSS JOIN LATERAL ${betsOfW} b
     WHERE w.account_id = ${accountId} AND w.id = ${wagerId} AND ${isPendingSql(Prisma.sql`b`, Prisma.sql`w.outcome`)}`,
  );
  return Number(row?.count);
}
