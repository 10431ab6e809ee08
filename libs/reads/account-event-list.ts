import type { AccountEventType, Actor } from '#accounts/events/account-event.js';
import { Prisma, type SharedTables } from '#platform/database/database.js';
import { countOf, createdWithin, type ListQuery, readList, sortedBy, type TotalRow } from './list-reader.js';
import type { List, PageRequest } from './page.js';

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

export interface AccountEventListRequest {
  readonly accountIds: readonly bigint[];
  readonly types: readonly AccountEventType[] | undefined;
  /** What one person did. */
  readonly operatorId?: bigint | undefined;
  readonly createdFrom: Date | undefined;
  readonly createdUntil: Date | undefined;
  readonly descending: boolean;
  readonly page: PageRequest;
}

const conditionsOf = ({ types, operatorId, ...filters }: AccountEventListRequest): Prisma.Sql[] => [
  ...(types === undefined ? [] : [Prisma.sql`listed.type = ANY(${types}::text[])`]),
  // The text of `account_events_operator_idx`.
  ...(operatorId === undefined ? [] : [Prisma.sql`listed.actor ->> 'operator_id' = ${String(operatorId)}`]),
  ...createdWithin(filters),
];

export async function listAccountEvents(
  tables: SharedTables,
  request: AccountEventListRequest,
): Promise<List<AccountEvent, TotalRow>> {
  const { accountIds, descending, page } = request;
  const from = Prisma.sql`account_events listed`;
  const conditions = conditionsOf(request);
  const query: ListQuery = {
    accountIds,
    parts: [sortedBy({ column: Prisma.sql`listed.created_at`, keyType: 'timestamptz' }, from, conditions)],
    isNarrow: false,
    order: { descending },
    page,
    totals: page.withTotals ? countOf(from, accountIds, conditions) : undefined,
    columns: Prisma.sql`e.id, e.account_id AS "accountId", e.type, e.actor, e.address, e.before, e.after,
      e.request_id AS "requestId", e.created_at AS "createdAt"`,
    joined: Prisma.sql`JOIN account_events e ON e.account_id = page.account_id AND e.id = page.id`,
    freeColumns: ['before', 'after'],
  };
  return readList(tables, query);
}
