import { type ApiKey, apiKeyColumns } from '#accounts/access/api-key-repository.js';
import type { Operator } from '#accounts/operators/operator.js';
import { operatorColumns } from '#accounts/operators/people-repository.js';
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
  readonly operatorId: bigint;
  readonly operatorName: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly address: string | null;
}

export interface SessionListRequest extends ShortListRequest {
  readonly now: Date;
  /** Of this operator alone. */
  readonly operatorId: bigint | undefined;
}

/** Without those that have expired. */
export async function listSessions(
  tables: SharedTables,
  accountId: bigint,
  { now, operatorId, page, descending, ...created }: SessionListRequest,
): Promise<List<Session, TotalRow>> {
  const from = Prisma.sql`access_tokens listed`;
  const conditions = [
    Prisma.sql`listed.expires_at > ${now}`,
    ...(operatorId === undefined ? [] : [Prisma.sql`listed.operator_id = ${operatorId}`]),
    ...createdWithin(created),
  ];
  const query: ListQuery = {
    page,
    accountIds: [accountId],
    parts: [sortedBy(byId, from, conditions)],
    isNarrow: false,
    order: { descending },
    totals: page.withTotals ? countOf(from, [accountId], conditions) : undefined,
    columns: Prisma.sql`t.id, t.created_at AS "createdAt", t.expires_at AS "expiresAt",
      t.last_used_at AS "lastUsedAt", t.address, t.operator_id AS "operatorId", o.name AS "operatorName"`,
    joined: Prisma.sql`JOIN access_tokens t ON t.account_id = page.account_id AND t.id = page.id
      JOIN operators o ON o.account_id = t.account_id AND o.id = t.operator_id`,
  };
  return readList(tables, query);
}

/** The people of an account, without those who are deleted. */
export async function listOperators(
  tables: SharedTables,
  accountId: bigint,
  { page, descending, ...created }: ShortListRequest,
): Promise<List<Operator, TotalRow>> {
  const from = Prisma.sql`operators listed`;
  const conditions = [Prisma.sql`listed.state <> 'deleted'`, ...createdWithin(created)];
  const query: ListQuery = {
    page,
    accountIds: [accountId],
    parts: [sortedBy(byId, from, conditions)],
    isNarrow: false,
    order: { descending },
    totals: page.withTotals ? countOf(from, [accountId], conditions) : undefined,
    columns: operatorColumns,
    joined: Prisma.sql`JOIN operators o ON o.account_id = page.account_id AND o.id = page.id`,
  };
  return readList(tables, query);
}
