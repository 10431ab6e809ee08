import { noteInexact } from '#events/event-position.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';

// References in filters become ids before the list is read, so that PostgreSQL plans for the ids in question. Ids come
// from one sequence for all accounts: an id never names rows of two accounts.

interface References {
  readonly accountIds: readonly bigint[];
  readonly references: readonly string[];
}

async function idsOf(
  tables: AccountTables | Tx,
  table: 'users' | 'wagers',
  { accountIds, references }: References,
): Promise<bigint[]> {
  if (accountIds.length === 0 || references.length === 0) return [];
  const rows = await queryRows<{ id: bigint }>(
    tables,
    Prisma.sql`${preparedAs(`ids of ${table}`)}
    SELECT id FROM ${Prisma.raw(table)}
     WHERE account_id = ANY(${accountIds}::bigint[]) AND reference = ANY(${references}::text[])`,
  );
  // A list that is read later may know the name, and would still leave its rows out.
  if (rows.length < references.length) noteInexact(tables);
  return rows.map(({ id }) => id);
}

export interface UserFilter {
  readonly ids: readonly bigint[] | undefined;
  readonly references: readonly string[] | undefined;
}

/** The users that either list names; undefined when neither list is given. */
export async function userIdsOf(
  tables: AccountTables | Tx,
  accountIds: readonly bigint[],
  { ids, references }: UserFilter,
): Promise<bigint[] | undefined> {
  if (ids === undefined && references === undefined) return undefined;
  const found = await idsOf(tables, 'users', { accountIds, references: references ?? [] });
  return [...new Set([...(ids ?? []), ...found])];
}

/** Undefined when no list is given; empty when no reference is known. */
export async function wagerIdsOf(
  tables: AccountTables | Tx,
  accountIds: readonly bigint[],
  references: readonly string[] | undefined,
): Promise<bigint[] | undefined> {
  return references === undefined ? undefined : idsOf(tables, 'wagers', { accountIds, references });
}

interface Named {
  readonly userIds?: readonly bigint[] | undefined;
  readonly userReferences?: readonly string[] | undefined;
  readonly wagerReferences?: readonly string[] | undefined;
}

/** What the filters of a list come to. */
export interface NamedIds {
  readonly userIds: readonly bigint[] | undefined;
  readonly wagerIds: readonly bigint[] | undefined;
}

/** Of a list that filters by users and by wagers: looked up once, also where its query is made more than once. */
export async function namedIdsOf(
  tables: AccountTables | Tx,
  accountIds: readonly bigint[],
  { userIds, userReferences, wagerReferences }: Named,
): Promise<NamedIds> {
  return {
    wagerIds: await wagerIdsOf(tables, accountIds, wagerReferences),
    userIds: await userIdsOf(tables, accountIds, { ids: userIds, references: userReferences }),
  };
}
