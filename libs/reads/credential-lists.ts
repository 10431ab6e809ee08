import { type ApiKey, apiKeyColumns } from '#accounts/access/api-key-repository.js';
import { type Database, Prisma } from '#platform/database/database.js';
import { countOf, type ListQuery, readList, sortedBy, type TotalRow } from './list-reader.js';

interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

const byId = Prisma.sql`listed.id`;

/** The oldest first. */
export async function listApiKeys(database: Database, accountId: bigint, range: PageRange): Promise<Page<ApiKey>> {
  const from = Prisma.sql`api_keys listed`;
  const query: ListQuery = {
    ...range,
    accountIds: [accountId],
    parts: [sortedBy(byId, from, [])],
    isNarrow: false,
    order: { descending: false },
    totals: countOf(from, [accountId], []),
    columns: apiKeyColumns,
    joined: Prisma.sql`JOIN api_keys k ON k.account_id = page.account_id AND k.id = page.id`,
  };
  const { items, totals } = await readList<ApiKey, TotalRow>(database, query);
  return { items, total: Number(totals.total) };
}

/** A living access token. */
export interface Session {
  readonly id: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly address: string | null;
}

/** The newest first, without those that have expired. */
export async function listSessions(
  database: Database,
  accountId: bigint,
  { now, ...range }: PageRange & { readonly now: Date },
): Promise<Page<Session>> {
  const from = Prisma.sql`access_tokens listed`;
  const isAlive = Prisma.sql`listed.expires_at > ${now}`;
  const query: ListQuery = {
    ...range,
    accountIds: [accountId],
    parts: [sortedBy(byId, from, [isAlive])],
    isNarrow: false,
    order: { descending: true },
    totals: countOf(from, [accountId], [isAlive]),
    columns: Prisma.sql`t.id, t.created_at AS "createdAt", t.expires_at AS "expiresAt",
      t.last_used_at AS "lastUsedAt", t.address`,
    joined: Prisma.sql`JOIN access_tokens t ON t.account_id = page.account_id AND t.id = page.id`,
  };
  const { items, totals } = await readList<Session, TotalRow>(database, query);
  return { items, total: Number(totals.total) };
}
