import type { Micros } from '#core/money.js';
import { logHeadOf } from '#events/event-position.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { literal } from './list-reader.js';
import { received } from './read-transaction.js';
import { RISK_TIMEOUT_MS, type RiskyUser } from './wager-risk.js';

// The users of an account who can lose the most, and who won and lost the most on the day (UTC). A look passes every balance
// and the transactions of the day.

export const userRiskSorts = ['exposure', 'profit_today', 'loss_today'] as const;
export type UserRiskSort = (typeof userRiskSorts)[number];

export const MOST_RISKY_USERS = 50;
/** So many of the day's newest transactions are summed. */
const MOST_TRANSACTIONS = 500_000;

export interface UserAtRisk extends RiskyUser {
  readonly balance: Micros;
  readonly exposure: Micros;
  /** Text: a sum may exceed 64 bits. */
  readonly profit: string;
}

export interface UserRisk {
  readonly asOf: Date;
  readonly head: string | null;
  /** The begin of the day, or a later moment on a day with more transactions than are summed. */
  readonly profitFrom: Date;
  readonly totals: UserRiskTotals;
  /** The first of each order, in any order. */
  readonly users: readonly UserAtRisk[];
}

interface UserRiskTotals {
  readonly exposed: bigint;
  readonly exposure: string;
  readonly won: string;
  readonly lost: string;
}

interface BeginRow {
  readonly asOf: Date;
  readonly head: string | null;
  readonly dayBegin: Date;
  /** The newest transaction that is left out; null: none is. */
  readonly leftOut: Date | null;
}

const begin = (accountId: bigint): Prisma.Sql => Prisma.sql`
  SELECT now()::timestamptz(3) AS "asOf", ${logHeadOf(accountId)} AS head, day.begin AS "dayBegin", (
           SELECT created_at FROM transactions WHERE account_id = ${accountId} AND created_at >= day.begin
            ORDER BY created_at DESC, id DESC OFFSET ${literal(MOST_TRANSACTIONS)} LIMIT 1) AS "leftOut"
    FROM (SELECT date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS begin) day`;

const firsts = (order: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(SELECT user_id FROM moved ORDER BY ${order}, user_id LIMIT ${literal(MOST_RISKY_USERS)})`;

type UserRow = UserRiskTotals & { readonly [Field in keyof UserAtRisk]: UserAtRisk[Field] | null };

/** A row for each user, with the totals; without a user, one that has only them. */
const users = (accountId: bigint, from: Date): Prisma.Sql => Prisma.sql`
  WITH today AS MATERIALIZED (
    SELECT t.user_id, sum(${received}) AS profit FROM transactions t
     WHERE t.account_id = ${accountId} AND t.created_at >= ${from} AND t.transaction_source = 'bet' GROUP BY t.user_id),
  moved AS MATERIALIZED (
    SELECT user_id, b.balance, b.exposure, coalesce(today.profit, 0) AS profit
      FROM balances b LEFT JOIN today USING (user_id)
     WHERE b.account_id = ${accountId} AND (b.exposure > 0 OR today.profit <> 0)),
  totals AS (
    SELECT count(*) FILTER (WHERE exposure > 0) AS exposed, coalesce(sum(exposure), 0)::text AS exposure,
           coalesce(sum(profit) FILTER (WHERE profit > 0), 0)::text AS won,
           coalesce(-sum(profit) FILTER (WHERE profit < 0), 0)::text AS lost FROM moved)
  SELECT totals.exposed, totals.exposure AS "totalExposure", totals.won, totals.lost, shown.* FROM totals
    LEFT JOIN (SELECT u.id, u.reference, u.name, m.balance, m.exposure, m.profit::text AS profit
      FROM (${firsts(Prisma.sql`exposure DESC`)} UNION ${firsts(Prisma.sql`profit DESC`)}
            UNION ${firsts(Prisma.sql`profit`)}) AS first
      JOIN moved m USING (user_id) JOIN users u ON u.account_id = ${accountId} AND u.id = first.user_id) shown ON TRUE`;

/** All of one snapshot (RepeatableRead). */
export async function readUserRisk(snapshot: Tx, accountId: bigint): Promise<UserRisk> {
  await queryRows(
    snapshot,
    Prisma.sql`SELECT set_config('enable_seqscan', 'off', true), set_config('statement_timeout', '${literal(RISK_TIMEOUT_MS)}', true)`,
  );
  const [first] = await queryRows<BeginRow>(snapshot, begin(accountId));
  const { asOf, head, dayBegin, leftOut } = first as BeginRow;
  // Whole milliseconds: no transaction of that moment is summed alone.
  const profitFrom = leftOut === null ? dayBegin : new Date(leftOut.getTime() + 1);
  const rows = await queryRows<Omit<UserRow, 'exposure'> & { totalExposure: string; exposure: Micros | null }>(
    snapshot,
    users(accountId, profitFrom),
  );
  const [{ exposed, totalExposure, won, lost }] = rows as [(typeof rows)[number]];
  const found = rows.flatMap(({ id, reference, name, balance, exposure, profit }) =>
    id === null || reference === null || name === null || balance === null || exposure === null || profit === null
      ? []
      : [{ id, reference, name, balance, exposure, profit }],
  );
  return { asOf, head, profitFrom, totals: { exposed, exposure: totalExposure, won, lost }, users: found };
}
