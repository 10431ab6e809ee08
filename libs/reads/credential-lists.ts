import { type ApiKey, apiKeyColumns } from '#accounts/access/api-key-repository.js';
import { Prisma, type SharedTables } from '#platform/database/database.js';
import {
  countOf,
  createdWithin,
  type ListQuery,
  readList,
  type ShortListRequest,
  type SortColumn,
  sortedBy,
  type TotalRow,
} from './list-reader.js';
import type { List } from './page.js';

const byId: SortColumn = { column: Prisma.sql`listed.id`, keyType: 'bigint' };

export async function listApiKeys(
  tables: SharedTables,
  accountId: bigint,
  { page, descending, ...created }: ShortListRequest,
): Promise<List<ApiKey, TotalRow>> {
  const from = Prisma.sql`api_keys listed`;
  const conditions = createdWithin(created);
  const query: ListQuery = {
    page,
    accountIds: [accountId],
    parts: [sortedBy(byId, from, conditions)],
    isNarrow: false,
    order: { descending },
    totals: page.withTotals ? countOf(from, [accountId], conditions) : undefined,
    columns: apiKeyColumns,
    joined: Prisma.sql`JOIN api_keys k ON k.account_id = page.account_id AND k.id = page.id`,
  };
  return readList(tables, query);
}

/** A living access token. */
export interface Session {
  readonly id: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly address: string | null;
}

/** Without those that have expired. */
export async function listSessions(
  tables: SharedTables,
  accountId: bigint,
  { now, page, descending, ...created }: ShortListRequest & { readonly now: Date },
): Promise<List<Session, TotalRow>> {
  const from = Prisma.sql`access_tokens listed`;
  const conditions = [Prisma.sql`listed.expires_at > ${now}`, ...createdWithin(created)];
  const query: ListQuery = {
    page,
    accountIds: [accountId],
    parts: [sortedBy(byId, from, conditions)],
    isNarrow: false,
    order: { descending },
    totals: page.withTotals ? countOf(from, [accountId], conditions) : undefined,
    columns: Prisma.sql`t.id, t.created_at AS "createdAt", t.expires_at AS "expiresAt",
      t.last_used_at AS "lastUsedAt", t.address`,
    joined: Prisma.sql`JOIN access_tokens t ON t.account_id = page.account_id AND t.id = page.id`,
  };
  return readList(tables, query);
}
