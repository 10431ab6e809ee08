import type { Bettor, UserFilters, UserSortField } from '#accounts/users/user.js';
import { userColumns } from '#accounts/users/user-repository.js';
import { type Database, Prisma } from '#platform/database/database.js';
import { userIdsOf } from './ids-by-reference.js';
import {
  type CreatedWithin,
  countOf,
  createdWithin,
  inAccounts,
  isOneOf,
  type ListQuery,
  readList,
  type SortColumn,
  type SortedPart,
  sortedBy,
  type TotalRow,
} from './list-reader.js';
import type { List, PageRequest } from './page.js';

const users = Prisma.sql`users listed`;
/** Balance and exposure have their own table, so that moving them does not touch the users' indexes. */
const money = Prisma.sql`(SELECT account_id, user_id AS id, balance, exposure FROM balances) AS listed`;
const usersByMoney = Prisma.sql`users listed
  JOIN balances money ON money.account_id = listed.account_id AND money.user_id = listed.id`;

const ownColumns = {
  id: { column: Prisma.sql`listed.id`, keyType: 'bigint' },
  name: { column: Prisma.sql`listed.name`, keyType: 'text' },
  reference: { column: Prisma.sql`listed.reference`, keyType: 'text' },
  created_at: { column: Prisma.sql`listed.created_at`, keyType: 'timestamptz' },
} satisfies Partial<Record<UserSortField, SortColumn>>;

const moneyColumns = {
  balance: { alone: Prisma.sql`listed.balance`, joined: Prisma.sql`money.balance` },
  exposure: { alone: Prisma.sql`listed.exposure`, joined: Prisma.sql`money.exposure` },
};

/** Escapes `%` and `_`, so that they match themselves. */
function containing(text: string): Prisma.Sql {
  return Prisma.sql`'%' || lower(${text.replaceAll(/[\\%_]/g, '\\$&')}) || '%'`;
}

function conditionsOf({ search, meta, ...filters }: UserListRequest, ids: readonly bigint[] | undefined): Prisma.Sql[] {
  const all = createdWithin(filters);
  if (ids !== undefined) all.push(isOneOf(Prisma.sql`listed.id`, ids));
  // The searched text joins name and reference by a line break, which no search may match.
  if (search?.includes('\n')) all.push(Prisma.sql`FALSE`);
  else if (search !== undefined) all.push(Prisma.sql`listed.search_text LIKE ${containing(search)}`);
  if (Object.keys(meta).length > 0) all.push(Prisma.sql`listed.meta @> ${JSON.stringify(meta)}::jsonb`);
  return all;
}

/** Reads from the one table or index that has the order. */
function sortedUsers(sortBy: UserSortField, conditions: readonly Prisma.Sql[]): SortedPart {
  if (sortBy !== 'balance' && sortBy !== 'exposure') return sortedBy(ownColumns[sortBy], users, conditions);
  const { alone, joined } = moneyColumns[sortBy];
  return conditions.length === 0
    ? sortedBy({ column: alone, keyType: 'bigint' }, money, conditions)
    : sortedBy({ column: joined, keyType: 'bigint' }, usersByMoney, conditions);
}

export interface UserListRequest extends UserFilters, CreatedWithin {
  readonly userIds?: readonly bigint[] | undefined;
  readonly userReferences?: readonly string[] | undefined;
  readonly page: PageRequest;
}

export async function listUsers(
  database: Database,
  accountId: bigint,
  request: UserListRequest,
): Promise<List<Bettor, TotalRow>> {
  const { sortBy, sortOrder, page } = request;
  const accountIds = [accountId];
  const tables = database.of(accountId);
  const ids = await userIdsOf(tables, accountIds, { ids: request.userIds, references: request.userReferences });
  const conditions = conditionsOf(request, ids);
  const totals =
    conditions.length === 0
      ? Prisma.sql`SELECT coalesce(sum(rows), 0)::bigint AS total FROM row_counts listed
          WHERE ${inAccounts(accountIds)} AND kind = 'users'`
      : countOf(users, accountIds, conditions);
  const query: ListQuery = {
    accountIds,
    parts: [sortedUsers(sortBy, conditions)],
    // A search may match few users or all of them, so the planner decides how to find them.
    isNarrow: ids !== undefined,
    order: { descending: sortOrder === 'desc' },
    page,
    totals: page.withTotals ? totals : undefined,
    columns: userColumns,
    freeColumns: ['preferences', 'meta'],
    joined: Prisma.sql`JOIN users u ON u.account_id = page.account_id AND u.id = page.id
      JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id`,
  };
  return readList(tables, query);
}
