import type { RefusedCall } from '#http/refused-calls.js';
import { type AccountTables, Prisma } from '#platform/database/database.js';
import { readShortList, type ShortList, type ShortListRequest, type TotalRow } from './list-reader.js';
import type { List } from './page.js';

export type ListedCall = Omit<RefusedCall, 'accountId' | 'at'> & { readonly id: bigint; readonly createdAt: Date };

export interface RefusedCallListRequest extends ShortListRequest {
  readonly accountId: bigint;
  readonly statuses: readonly number[] | undefined;
  readonly codes: readonly string[] | undefined;
}

export function listRefusedCalls(
  tables: AccountTables,
  { accountId, statuses, codes, ...request }: RefusedCallListRequest,
): Promise<List<ListedCall, TotalRow>> {
  const list: ShortList = {
    accountIds: [accountId],
    from: Prisma.sql`refused_calls listed`,
    conditions: [
      ...(statuses === undefined ? [] : [Prisma.sql`listed.status = ANY(${statuses}::int[])`]),
      ...(codes === undefined ? [] : [Prisma.sql`listed.code = ANY(${codes}::text[])`]),
    ],
    sortColumn: { column: Prisma.sql`listed.created_at`, keyType: 'timestamptz' },
    columns: Prisma.sql`c.id, c.method, c.route, c.status, c.code, c.request_id AS "requestId", c.key_kind AS "keyKind",
      c.key_id AS "keyId", c.key_name AS "keyName", c.created_at AS "createdAt"`,
    joined: Prisma.sql`JOIN refused_calls c ON c.account_id = page.account_id AND c.id = page.id`,
  };
  return readShortList(tables, list, request);
}
