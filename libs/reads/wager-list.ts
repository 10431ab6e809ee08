import { type Database, Prisma } from '#platform/database/database.js';
import { inAccounts, type ListQuery, readList } from './list-reader.js';
import type { Wager, WagerListRequest } from './wager.js';
import { wagerColumns } from './wager-repository.js';

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

interface Totals {
  readonly total: bigint;
}

export interface WagerList {
  readonly wagers: readonly Wager[];
  readonly total: number;
}

/** Always counted: there are far fewer wagers than bets. */
export async function listWagers(database: Database, request: WagerListRequest): Promise<WagerList> {
  const { accountIds, sortBy, descending, offset, limit } = request;
  const column = sortColumns[sortBy];
  const conditions = conditionsOf(request);
  const query: ListQuery = {
    accountIds,
    stretches: [{ from, conditions, orderedBy: column, sortKey: column }],
    isNarrow: request.references !== undefined,
    order: { descending },
    offset,
    limit,
    totals: Prisma.sql`SELECT count(*) AS total FROM ${from}
      WHERE ${Prisma.join([inAccounts(accountIds), ...conditions], ' AND ')}`,
    columns: wagerColumns,
    joined: Prisma.sql`JOIN wagers w ON w.account_id = page.account_id AND w.id = page.id`,
  };
  const { rows, totals } = await readList<Wager, Totals>(database, query);
  return { wagers: rows, total: Number(totals.total) };
}
