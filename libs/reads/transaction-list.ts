import { type Database, Prisma } from '#platform/database/database.js';
import { userIdsOf } from './ids-by-reference.js';
import {
  countOf,
  createdWithin,
  inAccounts,
  isOneOf,
  type ListQuery,
  readList,
  sortedBy,
  type TotalRow,
} from './list-reader.js';
import type { List } from './page.js';
import { transactionColumns, transactionJoins } from './read-transaction.js';
import type { ShownTransaction, TransactionListRequest } from './transaction.js';

const from = Prisma.sql`transactions listed`;

function conditionsOf(request: TransactionListRequest, userIds: readonly bigint[] | undefined): Prisma.Sql[] {
  const { type, source } = request;
  const all: Prisma.Sql[] = [];
  if (userIds !== undefined) all.push(isOneOf(Prisma.sql`listed.user_id`, userIds));
  if (type !== undefined) all.push(Prisma.sql`listed.transaction_type = ${type}`);
  if (source !== undefined) all.push(Prisma.sql`listed.transaction_source = ${source}`);
  return [...all, ...createdWithin(request)];
}

/** Lists the oldest first by default, like the lists of bets. */
export async function listTransactions(
  database: Database,
  accountId: bigint,
  request: TransactionListRequest,
): Promise<List<ShownTransaction, TotalRow>> {
  const accountIds = [accountId];
  const tables = database.of(accountId);
  const userIds = await userIdsOf(tables, accountIds, { ids: request.userIds, references: request.userReferences });
  const conditions = conditionsOf(request, userIds);
  const totals =
    conditions.length === 0
      ? Prisma.sql`SELECT coalesce(sum(transactions), 0)::bigint AS total FROM ledger_totals listed
          WHERE ${inAccounts(accountIds)}`
      : countOf(from, accountIds, conditions);
  const query: ListQuery = {
    accountIds,
    parts: [sortedBy({ column: Prisma.sql`listed.created_at`, keyType: 'timestamptz' }, from, conditions)],
    isNarrow: userIds !== undefined,
    order: { descending: request.descending ?? false },
    page: request.page,
    totals: request.page.withTotals ? totals : undefined,
    columns: transactionColumns,
    joined: Prisma.sql`JOIN transactions t ON t.account_id = page.account_id AND t.id = page.id
      ${transactionJoins}`,
  };
  return readList(tables, query);
}
