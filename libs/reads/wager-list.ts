import { timeOfAccount } from '#ledger/clock.js';
import { type AccountTables, type Database, Prisma } from '#platform/database/database.js';
import type { CursorValue } from './cursor.js';
import {
  countOf,
  createdWithin,
  type ListQuery,
  readList,
  type SortColumn,
  sortedBy,
  type TotalRow,
} from './list-reader.js';
import { readMerged, sumOfTotals } from './merged-list.js';
import type { List } from './page.js';
import { wagerColumns } from './read-wager.js';
import type { ShownWager, WagerListRequest } from './wager.js';

const from = Prisma.sql`wagers listed`;

const sortColumns: Record<WagerListRequest['sortBy'], SortColumn> = {
  created_at: { column: Prisma.sql`listed.created_at`, keyType: 'timestamptz' },
  id: { column: Prisma.sql`listed.id`, keyType: 'bigint' },
  closes_at: { column: Prisma.sql`listed.closes_at`, keyType: 'timestamptz' },
};

/** As the index of the worker's clock has them, in the order of their times. */
const isClosing = Prisma.sql`listed.closes_at > ${timeOfAccount(Prisma.sql`listed.account_id`)}
  AND listed.status <> 'closed' AND listed.outcome = 'undecided'`;

function clockConditions({ isClosing: wanted, closesUntil }: WagerListRequest): Prisma.Sql[] {
  const all: Prisma.Sql[] = [];
  if (wanted === true) all.push(isClosing);
  if (wanted === false) all.push(Prisma.sql`(${isClosing}) IS NOT TRUE`);
  if (closesUntil !== undefined) all.push(Prisma.sql`listed.closes_at <= ${closesUntil}`);
  return all;
}

function conditionsOf(request: WagerListRequest): Prisma.Sql[] {
  const { outcomes, references, events, isSettling } = request;
  const all: Prisma.Sql[] = [];
  if (outcomes !== undefined) all.push(Prisma.sql`listed.outcome = ANY(${outcomes}::text[])`);
  if (references !== undefined) all.push(Prisma.sql`listed.reference = ANY(${references}::text[])`);
  if (events !== undefined) all.push(Prisma.sql`listed.event = ANY(${events}::text[])`);
  // An index has the wagers that are being settled alone.
  if (isSettling === true) all.push(Prisma.sql`listed.settling_since IS NOT NULL`);
  if (isSettling === false) all.push(Prisma.sql`listed.settling_since IS NULL`);
  return [...all, ...clockConditions(request), ...createdWithin(request)];
}

/** The total is always counted: there are far fewer wagers than bets. */
async function readWagers(tables: AccountTables, request: WagerListRequest): Promise<List<ShownWager, TotalRow>> {
  const { accountIds, sortBy, descending, page } = request;
  const conditions = conditionsOf(request);
  const query: ListQuery = {
    accountIds,
    parts: [sortedBy(sortColumns[sortBy], from, conditions)],
    isNarrow: [request.references, request.events].some((given) => given !== undefined) || request.isSettling === true,
    order: { descending },
    page,
    totals: page.withTotals ? countOf(from, accountIds, conditions) : undefined,
    columns: wagerColumns,
    joined: Prisma.sql`JOIN wagers w ON w.account_id = page.account_id AND w.id = page.id`,
  };
  return readList(tables, query);
}

const keyOf: Record<WagerListRequest['sortBy'], (wager: ShownWager) => CursorValue> = {
  created_at: ({ createdAt }) => createdAt,
  id: ({ id }) => id,
  closes_at: ({ closesAt }) => closesAt,
};

export function listWagers(database: Database, request: WagerListRequest): Promise<List<ShownWager, TotalRow>> {
  return readMerged(database, request, readWagers, {
    rowOf: (wager) => ({ id: wager.id, sortKey: keyOf[request.sortBy](wager) }),
    sumOf: sumOfTotals,
  });
}
