import { type Database, Prisma } from '#platform/database/database.js';
import {
  countOf,
  createdWithin,
  type ListQuery,
  readList,
  type ShortListRequest,
  sortedBy,
  type TotalRow,
} from '#reads/list-reader.js';
import type { List } from '#reads/page.js';
import type { ChangeRequest, ChangeRequestState } from './change-request.js';
import { readChangeRequests } from './change-request-rows.js';

interface Request extends ShortListRequest {
  readonly state: ChangeRequestState | undefined;
}

export async function listChangeRequests(
  database: Database,
  accountId: bigint,
  { page, descending, state, ...created }: Request,
): Promise<List<ChangeRequest, TotalRow>> {
  const from = Prisma.sql`change_requests listed`;
  const conditions = [
    ...createdWithin(created),
    ...(state === undefined ? [] : [Prisma.sql`listed.state = ${state}::text`]),
  ];
  const query: ListQuery = {
    page,
    accountIds: [accountId],
    parts: [sortedBy({ column: Prisma.sql`listed.id`, keyType: 'bigint' }, from, conditions)],
    isNarrow: false,
    order: { descending },
    totals: page.withTotals ? countOf(from, [accountId], conditions) : undefined,
    columns: Prisma.sql`r.id`,
    joined: Prisma.sql`JOIN change_requests r ON r.account_id = page.account_id AND r.id = page.id`,
  };
  const tables = database.of(accountId);
  const list = await readList<{ id: bigint }, TotalRow>(tables, query);
  const ids = list.items.map(({ id }) => id);
  const found = new Map((await readChangeRequests(tables, accountId, ids)).map((request) => [request.id, request]));
  return { ...list, items: ids.flatMap((id) => found.get(id) ?? []) };
}
