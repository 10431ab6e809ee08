import { type Database, Prisma } from '#platform/database/database.js';
import { inAccounts, type ListQuery, readList } from './list-reader.js';
import { userIdsOf } from './named-ids.js';
import type { Transaction, TransactionListRequest } from './transaction.js';
import { transactionColumns, transactionSurroundings } from './transaction-repository.js';

const from = Prisma.sql`transactions listed`;
const inTime = Prisma.sql`listed.created_at`;

function conditionsOf(request: TransactionListRequest, userIds: readonly bigint[] | undefined): Prisma.Sql[] {
  const { type, source, createdFrom, createdUntil } = request;
  const all: Prisma.Sql[] = [];
  if (userIds !== undefined) all.push(Prisma.sql`listed.user_id = ANY(${userIds}::bigint[])`);
  if (type !== undefined) all.push(Prisma.sql`listed.transaction_type = ${type}`);
  if (source !== undefined) all.push(Prisma.sql`listed.transaction_source = ${source}`);
  if (createdFrom !== undefined) all.push(Prisma.sql`listed.created_at >= ${createdFrom}`);
  if (createdUntil !== undefined) all.push(Prisma.sql`listed.created_at <= ${createdUntil}`);
  return all;
}

interface Totals {
  readonly total: bigint;
}

export interface TransactionList {
  readonly transactions: readonly Transaction[];
  readonly total: number;
}

/** The oldest first, as the lists of bets are unless asked otherwise. */
export async function listTransactions(
  database: Database,
  accountId: bigint,
  request: TransactionListRequest,
): Promise<TransactionList> {
  const accountIds = [accountId];
  const userIds = await userIdsOf(database, accountIds, { ids: request.userIds, references: request.userReferences });
  const conditions = conditionsOf(request, userIds);
  const query: ListQuery = {
    accountIds,
    stretches: [{ from, conditions, orderedBy: inTime, sortKey: inTime }],
    isNarrow: userIds !== undefined,
    order: { descending: false },
    offset: request.offset,
    limit: request.limit,
    totals:
      conditions.length === 0
        ? Prisma.sql`SELECT coalesce(sum(transactions), 0)::bigint AS total FROM ledger_totals listed
            WHERE ${inAccounts(accountIds)}`
        : Prisma.sql`SELECT count(*) AS total FROM ${from}
            WHERE ${Prisma.join([inAccounts(accountIds), ...conditions], ' AND ')}`,
    columns: transactionColumns,
    joined: Prisma.sql`JOIN transactions t ON t.account_id = page.account_id AND t.id = page.id
      ${transactionSurroundings}`,
  };
  const { rows, totals } = await readList<Transaction, Totals>(database, query);
  return { transactions: rows, total: Number(totals.total) };
}
