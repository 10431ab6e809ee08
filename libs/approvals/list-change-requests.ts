import { type Database, Prisma } from '#platform/database/database.js';
import { readShortList, type ShortListRequest, type TotalRow } from '#reads/list-reader.js';
import type { List } from '#reads/page.js';
import type { ChangeRequest, ChangeRequestState } from './change-request.js';
import { readChangeRequests } from './change-request-rows.js';

interface Request extends ShortListRequest {
  readonly state: ChangeRequestState | undefined;
}

export async function listChangeRequests(
  database: Database,
  accountId: bigint,
  { state, ...request }: Request,
): Promise<List<ChangeRequest, TotalRow>> {
  const query = {
    accountIds: [accountId],
    from: Prisma.sql`change_requests listed`,
    conditions: state === undefined ? [] : [Prisma.sql`listed.state = ${state}::text`],
    columns: Prisma.sql`r.id`,
    joined: Prisma.sql`JOIN change_requests r ON r.account_id = page.account_id AND r.id = page.id`,
  };
  const tables = database.of(accountId);
  const list = await readShortList<{ id: bigint }>(tables, query, request);
  const ids = list.items.map(({ id }) => id);
  const found = new Map((await readChangeRequests(tables, accountId, ids)).map((request) => [request.id, request]));
  return { ...list, items: ids.flatMap((id) => found.get(id) ?? []) };
}
