import { type Database, Prisma } from '#platform/database/database.js';
import { countOf, type ListQuery, readList, sortedBy, type TotalRow } from './list-reader.js';
import { type Page, readPlaced } from './placed-list.js';
import { wagerColumns } from './read-wager.js';
import type { Wager, WagerListRequest } from './wager.js';

const from = Prisma.sql`wagers listed`;

const sortColumns: Record<WagerListRequest['sortBy'], Prisma.Sql> = {
  created_at: Prisma.sql`listed.created_at`,
  id: Prisma.sql`listed.id`,
};

function conditionsOf({ outcomes, references }: WagerListRequest): Prisma.Sql[] {
  const all: Prisma.Sql[] = [];
  if (outcomes !== undefined) all.push(Prisma.sql`listed.outcome = ANY(${outcomes}::text[])`);
  if (references !== undefined) all.push(Prisma.sql`listed.reference = ANY(${references}::text[])`);
  return all;
}

export interface WagerList {
  readonly wagers: readonly Wager[];
  readonly total: number;
}

/** The total is always counted: there are far fewer wagers than bets. */
async function readWagers(database: Database, request: WagerListRequest): Promise<Page<Wager>> {
  const { accountIds, sortBy, descending, offset, limit } = request;
  const conditions = conditionsOf(request);
  const query: ListQuery = {
    accountIds,
    parts: [sortedBy(sortColumns[sortBy], from, conditions)],
    isNarrow: request.references !== undefined,
    order: { descending },
    offset,
    limit,
    totals: countOf(from, accountIds, conditions),
    columns: wagerColumns,
    joined: Prisma.sql`JOIN wagers w ON w.account_id = page.account_id AND w.id = page.id`,
  };
  const { items, totals } = await readList<Wager, TotalRow>(database, query);
  return { items, total: Number(totals.total) };
}

export async function listWagers(database: Database, request: WagerListRequest): Promise<WagerList> {
  const { items: wagers, total } = await readPlaced(database, request, readWagers, {
    order: {
      descending: request.descending,
      keyOf: ({ createdAt, id }) => (request.sortBy === 'id' ? id : createdAt),
      idOf: ({ id }) => id,
    },
    sumOf: () => ({}),
  });
  return { wagers, total };
}
