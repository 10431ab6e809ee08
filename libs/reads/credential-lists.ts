import { type ApiKey, apiKeyColumns } from '#accounts/access/api-key-repository.js';
import type { Operator } from '#accounts/operators/operator.js';
import { operatorColumns } from '#accounts/operators/people-repository.js';
import { Prisma, type SharedTables } from '#platform/database/database.js';
import { readShortList, type ShortListRequest, type TotalRow } from './list-reader.js';
import type { List } from './page.js';

export function listApiKeys(
  tables: SharedTables,
  accountId: bigint,
  request: ShortListRequest,
): Promise<List<ApiKey, TotalRow>> {
  const list = {
    accountIds: [accountId],
    from: Prisma.sql`api_keys listed`,
    columns: apiKeyColumns,
    joined: Prisma.sql`JOIN api_keys k ON k.account_id = page.account_id AND k.id = page.id`,
  };
  return readShortList(tables, list, request);
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
export function listSessions(
  tables: SharedTables,
  accountId: bigint,
  { now, operatorId, ...request }: SessionListRequest,
): Promise<List<Session, TotalRow>> {
  const list = {
    accountIds: [accountId],
    from: Prisma.sql`access_tokens listed`,
    conditions: [
      Prisma.sql`listed.expires_at > ${now}`,
      ...(operatorId === undefined ? [] : [Prisma.sql`listed.operator_id = ${operatorId}`]),
    ],
    columns: Prisma.sql`t.id, t.created_at AS "createdAt", t.expires_at AS "expiresAt",
      t.last_used_at AS "lastUsedAt", t.address, t.operator_id AS "operatorId", o.name AS "operatorName"`,
    joined: Prisma.sql`JOIN access_tokens t ON t.account_id = page.account_id AND t.id = page.id
      JOIN operators o ON o.account_id = t.account_id AND o.id = t.operator_id`,
  };
  return readShortList(tables, list, request);
}

/** The people of an account, without those who are deleted. */
export function listOperators(
  tables: SharedTables,
  accountId: bigint,
  request: ShortListRequest,
): Promise<List<Operator, TotalRow>> {
  const list = {
    accountIds: [accountId],
    from: Prisma.sql`operators listed`,
    conditions: [Prisma.sql`listed.state <> 'deleted'`],
    columns: operatorColumns,
    joined: Prisma.sql`JOIN operators o ON o.account_id = page.account_id AND o.id = page.id`,
  };
  return readShortList(tables, list, request);
}
