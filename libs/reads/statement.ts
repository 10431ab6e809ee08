import { asMicros, type Micros } from '#core/money.js';
import type { TransactionSource, TransactionType } from '#core/records.js';
import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { referenceColumn } from '#ledger/transaction-reference.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { PREPARED_WHEN_FREQUENT, preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { TextMeta } from './meta-filter.js';
import { labelJoin, received } from './read-transaction.js';
import { type UserPeriodRow, userPeriods } from './user-periods.js';

// A statement is cut by ids: the ids of one user's transactions are in the order of their commits, and rows never change. So
// its figures and all its pages are of the moment at which it was opened, however much later a page is read.

export interface StatementRequest {
  readonly accountId: bigint;
  readonly user: { readonly reference: string } | { readonly id: bigint };
  readonly from: Date;
  /** Exclusive. Undefined: up to the last transaction. */
  readonly to: Date | undefined;
}

/** What a statement says of its whole period. */
export interface Statement {
  readonly accountId: bigint;
  readonly userId: bigint;
  readonly userReference: string;
  readonly from: Date;
  readonly to: Date;
  readonly asOf: Date;
  /** The period has the user's transactions with ids from the first to before the last. */
  readonly firstId: bigint;
  readonly endId: bigint;
  readonly openingBalance: Micros;
  readonly closingBalance: Micros;
  readonly credits: Micros;
  readonly debits: Micros;
  /** What bets brought, less what they cost. */
  readonly betNet: Micros;
}

export interface StatementLine {
  readonly id: bigint;
  readonly at: Date;
  readonly reference: string;
  readonly type: TransactionType;
  readonly source: TransactionSource;
  readonly amount: Micros;
  readonly signedAmount: Micros;
  readonly balance: Micros;
  readonly wagerReference: string | null;
  readonly betId: bigint | null;
  readonly description: string;
  /** Of money in or out: what the business calls it, and its data. */
  readonly ownReference: string | null;
  readonly meta: TextMeta | null;
}

/** Behind a line of a statement. */
export interface LineId {
  readonly id: bigint;
}

export async function openStatement(tables: AccountTables | Tx, request: StatementRequest): Promise<Statement> {
  const { accountId, user, from, to } = request;
  const isUser = 'id' in user ? Prisma.sql`u.id = ${user.id}` : Prisma.sql`u.reference = ${user.reference}`;
  const users = Prisma.sql`SELECT u.id, u.reference FROM users u WHERE u.account_id = ${accountId} AND ${isUser}`;
  const [row] = await queryRows<UserPeriodRow & { readonly logHead: string | null }>(
    tables,
    Prisma.sql`${preparedAs('id' in user ? 'statement by id' : 'statement')}
    SELECT period.*, ${logHeadOf(accountId)} AS "logHead"
      FROM (${userPeriods({ accountId, users, from, to: to ?? null })}) AS period`,
  );
  if (row === undefined) throw new Refusal('user-not-found');
  noteAsOf(tables, { accountId, head: row.logHead });
  const { userId, userReference, asOf, firstId, endId, credits, debits } = row;
  return {
    accountId,
    userId,
    userReference,
    from,
    to: to ?? asOf,
    asOf,
    firstId,
    endId,
    openingBalance: asMicros(row.openingBalance),
    closingBalance: asMicros(row.closingBalance),
    credits: asMicros(BigInt(credits)),
    debits: asMicros(BigInt(debits)),
    betNet: asMicros(BigInt(row.betCredits) - BigInt(row.betDebits)),
  };
}

/** Which lines of a period, and in which order. */
export interface LineOrder {
  readonly isNewestFirst?: boolean;
  readonly source?: TransactionSource | undefined;
}

/** Before the first line. */
export const startOf = ({ firstId, endId }: Statement, { isNewestFirst = false }: LineOrder = {}): LineId => ({
  id: isNewestFirst ? endId : firstId - 1n,
});

export async function readLines(
  tables: AccountTables | Tx,
  { accountId, userId, firstId, endId: end }: Pick<Statement, 'accountId' | 'userId' | 'firstId' | 'endId'>,
  after: LineId,
  limit: number,
  { isNewestFirst = false, source }: LineOrder = {},
): Promise<StatementLine[]> {
  const place = isNewestFirst
    ? Prisma.sql`listed.id < ${after.id} AND listed.id >= ${firstId}`
    : Prisma.sql`listed.id > ${after.id} AND listed.id < ${end}`;
  const ofSource = source === undefined ? Prisma.empty : Prisma.sql`AND listed.transaction_source = ${source}`;
  const direction = isNewestFirst ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const isUsual = !isNewestFirst && source === undefined;
  const prepared = isUsual ? preparedAs('statement lines') : Prisma.raw(PREPARED_WHEN_FREQUENT);
  return queryRows<StatementLine>(
    tables,
    Prisma.sql`${prepared}
    SELECT t.id, t.created_at AS at, ${referenceColumn} AS reference, t.transaction_type AS type, t.transaction_source AS source, t.amount,
           ${received} AS "signedAmount",
           t.balance_after AS balance,
           w.reference AS "wagerReference", r.bet_id AS "betId", t.description,
           label.own_reference AS "ownReference", label.meta
      FROM (SELECT * FROM transactions listed
             WHERE listed.account_id = ${accountId} AND listed.user_id = ${userId} AND ${place} ${ofSource}
             ORDER BY listed.id ${direction} LIMIT ${limit}) t
      LEFT JOIN bet_trails r ON r.account_id = ${accountId} AND r.id = t.bet_trail_id
      LEFT JOIN wagers w ON w.account_id = ${accountId} AND w.id = r.wager_id
      ${Prisma.raw(labelJoin)}
     ORDER BY t.id ${direction}`,
  );
}

export async function countLines(tables: AccountTables | Tx, statement: Statement): Promise<bigint> {
  const { accountId, userId, firstId, endId: end } = statement;
  const [row] = await queryRows<{ count: bigint }>(
    tables,
    Prisma.sql`
    SELECT count(*) FROM transactions
     WHERE account_id = ${accountId} AND user_id = ${userId} AND id >= ${firstId} AND id < ${end}`,
  );
  return row?.count ?? 0n;
}

/** Enough for few round trips, and little memory. */
const LINES_AT_ONCE = 1_000;

/** All lines of a statement, in portions. */
export async function* streamLines(
  tables: AccountTables | Tx,
  statement: Statement,
): AsyncGenerator<StatementLine[], void> {
  let after: LineId = startOf(statement);
  for (;;) {
    const lines = await readLines(tables, statement, after, LINES_AT_ONCE);
    if (lines.length > 0) yield lines;
    const last = lines.at(-1);
    if (last === undefined || lines.length < LINES_AT_ONCE) return;
    after = last;
  }
}
