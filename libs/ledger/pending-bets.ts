import type { Moment, Outcome } from '#core/records.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { queryRows, timeOf } from '#platform/database/statements.js';

/** Null is NULL: no bet is matched at or after it. */
export const momentSql = (moment: Moment | null): Prisma.Sql => Prisma.sql`
  ${moment === null ? null : timeOf(moment)}::timestamptz`;

export interface DecisionSql {
  readonly outcome: Prisma.Sql;
  readonly voidFrom: Prisma.Sql;
}

/** The core's `isPending` in SQL: whether the bet with this alias would have to move under the decision. */
export const isPendingSql = (bet: Prisma.Sql, { outcome, voidFrom }: DecisionSql): Prisma.Sql => Prisma.sql`
  CASE WHEN ${bet}.accepting_user_id IS NULL
       THEN ${bet}.offer_status <> 'canceled' AND ${bet}.offer_status <>
            CASE WHEN ${bet}.timed_out OR ${outcome} <> 'undecided' OR coalesce(${bet}.override_outcome, 'undecided') <> 'undecided'
                 THEN 'expired' ELSE 'requesting' END
       ELSE (${bet}.accepted_at >= ${voidFrom}) IS TRUE AND ${bet}.override_outcome IS DISTINCT FROM 'void'
         OR ${bet}.settled_outcome IS DISTINCT FROM
            CASE WHEN ${bet}.is_active THEN nullif(coalesce(${bet}.override_outcome, ${outcome}), 'undecided') END
  END`;

const isOpen = Prisma.sql`offer_status = 'requesting' AND is_active`;

/** All bets of a wager. Open offers and all other bets have indexes of their own. */
export const betsOfWager = (accountId: Prisma.Sql, wagerId: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  SELECT * FROM bets WHERE account_id = ${accountId} AND wager_id = ${wagerId} AND ${isOpen}
  UNION ALL
  SELECT * FROM bets WHERE account_id = ${accountId} AND wager_id = ${wagerId} AND NOT (${isOpen}))`;

/** As a decision of the wager `w` with this outcome leaves it. Null: the present one. */
export const decisionSql = (outcome: Outcome | null, voidMatchedAfter: Moment | null): DecisionSql => ({
  outcome: outcome === null ? Prisma.sql`w.outcome` : Prisma.sql`${outcome}`,
  voidFrom:
    voidMatchedAfter === null
      ? Prisma.sql`w.void_from`
      : Prisma.sql`least(w.void_from, ${momentSql(voidMatchedAfter)})`,
});

export interface CountedDecision {
  readonly accountId: bigint;
  readonly reference: string;
  readonly outcome: Outcome;
  readonly voidMatchedAfter: Moment | null;
}

/**
 * The number of pending bets of the wager `w`. One count for each of the two indexes takes three quarters of the time of one over
 * their union, for which PostgreSQL copies all columns of each bet.
 */
function pendingCountSql(decision: DecisionSql): Prisma.Sql {
  const count = (which: Prisma.Sql) => Prisma.sql`(
    SELECT count(*) FROM bets b WHERE b.account_id = w.account_id AND b.wager_id = w.id AND ${which}
       AND ${isPendingSql(Prisma.sql`b`, decision)})`;
  return Prisma.sql`${count(isOpen)} + ${count(Prisma.sql`NOT (${isOpen})`)}`;
}

async function countWhere(tables: AccountTables | Tx, isWager: Prisma.Sql, decision: DecisionSql): Promise<number> {
  const sql = Prisma.sql`SELECT ${pendingCountSql(decision)} AS count FROM wagers w WHERE ${isWager}`;
  const [row] = await queryRows<{ count: bigint }>(tables, sql);
  return Number(row?.count ?? 0); // no row: there is no such wager
}

/**
 * The number of bets that would be pending under the decision; 0 when there is no such wager. It reads every bet of the
 * wager. While approvals hold the wager, they call it only for an operation that the ledger will refuse: of any other, the
 * preview has counted the bets.
 */
export const countPendingUnder = (
  tables: AccountTables | Tx,
  { accountId, reference, outcome, voidMatchedAfter }: CountedDecision,
): Promise<number> =>
  countWhere(
    tables,
    Prisma.sql`w.account_id = ${accountId} AND w.reference = ${reference}`,
    decisionSql(outcome, voidMatchedAfter),
  );

/** The same under the present decision of the wager. */
export const countPendingOf = (
  tables: AccountTables | Tx,
  { accountId, wagerId }: { readonly accountId: bigint; readonly wagerId: bigint },
): Promise<number> =>
  countWhere(tables, Prisma.sql`w.account_id = ${accountId} AND w.id = ${wagerId}`, decisionSql(null, null));
