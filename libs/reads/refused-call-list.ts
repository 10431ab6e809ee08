import type { RefusedCall } from '#http/refused-calls.js';
import { type AccountTables, Prisma } from '#platform/database/database.js';
import {
  countOf,
  createdWithin,
  type ListQuery,
  readList,
  type ShortListRequest,
  sortedBy,
  type TotalRow,
} from './list-reader.js';
import type { List } from './page.js';

export type ListedCall = Omit<RefusedCall, 'accountId' | 'at'> & { readonly id: bigint; readonly createdAt: Date };

export interface RefusedCallListRequest extends ShortListRequest {
  readonly accountId: bigint;
  readonly statuses: readonly number[] | undefined;
  readonly codes: readonly string[] | undefined;
}

function conditionsOf(request: RefusedCallListRequest): Prisma.Sql[] {
  const { statuses, codes } = request;
  const all: Prisma.Sql[] = [];
  if (statuses !== undefined) all.push(Prisma.sql`listed.status = ANY(${statuses}::int[])`);
  if (codes !== undefined) all.push(Prisma.sql`listed.code = ANY(${codes}::text[])`);
  return [...all, ...createdWithin(request)];
}

export async function listRefusedCalls(
  tables: AccountTables,
  request: RefusedCallListRequest,
): Promise<List<ListedCall, TotalRow>> {
  const { accountId, page } = request;
  const accountIds = [accountId];
  const from = Prisma.sql`refused_calls listed`;
  const conditions = conditionsOf(request);
  const query: ListQuery = {
    accountIds,
    parts: [sortedBy({ column: Prisma.sql`listed.created_at`, keyType: 'timestamptz' }, from, conditions)],
    isNarrow: false,
    order: { descending: request.descending },
    page,
    totals: page.withTotals ? countOf(from, accountIds, conditions) : undefined,
    columns: Prisma.sql`c.id, c.method, c.route, c.status, c.code, c.request_id AS "requestId", c.key_kind AS "keyKind",
      c.key_id AS "keyId", c.key_name AS "keyName", c.created_at AS "createdAt"`,
    joined: Prisma.sql`JOIN refused_calls c ON c.account_id = page.account_id AND c.id = page.id`,
  };
  return readList(tables, query);
}
