import type { AccountEventType, Actor } from '#accounts/events/account-event.js';
import { Prisma, type SharedTables } from '#platform/database/database.js';
import { readShortList, type ShortList, type ShortListRequest, type TotalRow } from './list-reader.js';
import type { List } from './page.js';

export interface AccountEvent {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly type: AccountEventType;
  readonly actor: Actor;
  readonly address: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly requestId: string | null;
  readonly createdAt: Date;
}

export interface AccountEventListRequest extends ShortListRequest {
  readonly accountIds: readonly bigint[];
  readonly types: readonly AccountEventType[] | undefined;
  /** What one person did. */
  readonly operatorId?: bigint | undefined;
}

export function listAccountEvents(
  tables: SharedTables,
  { accountIds, types, operatorId, ...request }: AccountEventListRequest,
): Promise<List<AccountEvent, TotalRow>> {
  const list: ShortList = {
    accountIds,
    from: Prisma.sql`account_events listed`,
    conditions: [
      ...(types === undefined ? [] : [Prisma.sql`listed.type = ANY(${types}::text[])`]),
      // The text of `account_events_operator_idx`.
      ...(operatorId === undefined ? [] : [Prisma.sql`listed.actor ->> 'operator_id' = ${String(operatorId)}`]),
    ],
    sortColumn: { column: Prisma.sql`listed.created_at`, keyType: 'timestamptz' },
    columns: Prisma.sql`e.id, e.account_id AS "accountId", e.type, e.actor, e.address, e.before, e.after,
      e.request_id AS "requestId", e.created_at AS "createdAt"`,
    joined: Prisma.sql`JOIN account_events e ON e.account_id = page.account_id AND e.id = page.id`,
    freeColumns: ['before', 'after'],
  };
  return readShortList(tables, list, request);
}
