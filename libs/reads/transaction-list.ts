import { betsOfWager } from '#ledger/pending-bets.js';
import { type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { transactionsOfTrail } from './bet-trails.js';
import { type NamedIds, namedIdsOf } from './ids-by-reference.js';
import {
  countOf,
  createdWithin,
  inAccounts,
  isOneOf,
  type ListQuery,
  readList,
  readListIn,
  sortedBy,
  type TotalRow,
} from './list-reader.js';
import { isGiven, type MetaFilter, metaFilterOf } from './meta-filter.js';
import type { List } from './page.js';
import { hasOwnReference, transactionColumns, transactionJoins } from './read-transaction.js';
import type { ShownTransaction, TransactionListRequest } from './transaction.js';

const from = Prisma.sql`transactions listed`;

interface Found extends NamedIds {
  readonly byMeta?: MetaFilter;
}

function conditionsOf(
  accountId: bigint,
  request: TransactionListRequest,
  { userIds, wagerIds, byMeta }: Found,
): Prisma.Sql[] {
  const { type, source, ownReference } = request;
  const all: Prisma.Sql[] = [];
  if (userIds !== undefined) all.push(isOneOf(Prisma.sql`listed.user_id`, userIds));
  if (wagerIds !== undefined) all.push(Prisma.sql`listed.id = ANY(ARRAY(${paidIn(accountId, wagerIds)}))`);
  if (type !== undefined) all.push(Prisma.sql`listed.transaction_type = ${type}`);
  if (source !== undefined) all.push(Prisma.sql`listed.transaction_source = ${source}`);
  if (ownReference !== undefined) all.push(hasOwnReference(Prisma.sql`listed.id`, accountId, ownReference));
  if (byMeta !== undefined) all.push(byMeta.condition);
  return [...all, ...createdWithin(request)];
}

/** The ids of what bets on these wagers paid. Each is found by keys: no index leads from a wager to its transactions. */
const paidIn = (accountId: bigint, wagerIds: readonly bigint[]): Prisma.Sql => Prisma.sql`SELECT paid.id
  FROM unnest(${wagerIds}::bigint[]) wager (id)
 CROSS JOIN LATERAL ${betsOfWager(Prisma.sql`${accountId}::bigint`, Prisma.sql`wager.id`)} bet
  JOIN bet_trails trail ON trail.account_id = bet.account_id AND trail.bet_id = bet.id
 CROSS JOIN LATERAL (${transactionsOfTrail(Prisma.sql`id`)}) paid`;

/** Lists the oldest first by default, like the lists of bets. */
export async function listTransactions(
  database: Database,
  accountId: bigint,
  request: TransactionListRequest,
): Promise<List<ShownTransaction, TotalRow>> {
  const tables = database.of(accountId);
  const { meta } = request;
  if (!isGiven(meta)) {
    return readList(tables, queryOf(accountId, request, await namedIdsOf(tables, [accountId], request)));
  }
  const readIn = async (snapshot: Tx) => {
    const named = await namedIdsOf(snapshot, [accountId], request);
    const byMeta = await metaFilterOf(snapshot, 'movement_labels', meta, queryOf(accountId, request, named));
    return readListIn<ShownTransaction, TotalRow>(snapshot, queryOf(accountId, request, { ...named, byMeta }));
  };
  return withTx(tables, readIn, 'RepeatableRead');
}

function queryOf(accountId: bigint, request: TransactionListRequest, found: Found): ListQuery {
  const accountIds = [accountId];
  const { userIds, wagerIds, byMeta } = found;
  const conditions = conditionsOf(accountId, request, found);
  const totals =
    conditions.length === 0
      ? Prisma.sql`SELECT coalesce(sum(transactions), 0)::bigint AS total FROM ledger_totals listed
          WHERE ${inAccounts(accountIds)}`
      : countOf(from, accountIds, conditions);
  return {
    accountIds,
    parts: [sortedBy({ column: Prisma.sql`listed.created_at`, keyType: 'timestamptz' }, from, conditions)],
    isNarrow:
      [userIds, wagerIds, request.ownReference].some((given) => given !== undefined) || byMeta?.isNarrow === true,
    order: { descending: request.descending ?? false },
    page: request.page,
    totals: request.page.withTotals ? totals : undefined,
    columns: transactionColumns,
    freeColumns: ['meta'],
    joined: Prisma.sql`JOIN transactions t ON t.account_id = page.account_id AND t.id = page.id
      ${transactionJoins}`,
  };
}
