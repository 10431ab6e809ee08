import type { User, UserListRequest, UserSortField } from '#accounts/users/user.js';
import { userColumns } from '#accounts/users/user-repository.js';
import { type Database, Prisma } from '#platform/database/database.js';
import { inAccounts, type ListQuery, readList, type Stretch } from './list-reader.js';

const users = Prisma.sql`users listed`;
/** Money stands in its own table, so that moving it does not touch the users' indexes; its indexes have its orders. */
const money = Prisma.sql`(SELECT account_id, user_id AS id, balance, exposure FROM balances) AS listed`;
const usersByMoney = Prisma.sql`users listed
  JOIN balances money ON money.account_id = listed.account_id AND money.user_id = listed.id`;

const ownColumns = {
  id: Prisma.sql`listed.id`,
  name: Prisma.sql`listed.name`,
  reference: Prisma.sql`listed.reference`,
  created_at: Prisma.sql`listed.created_at`,
} satisfies Partial<Record<UserSortField, Prisma.Sql>>;

const moneyColumns = {
  balance: { alone: Prisma.sql`listed.balance`, joined: Prisma.sql`money.balance` },
  exposure: { alone: Prisma.sql`listed.exposure`, joined: Prisma.sql`money.exposure` },
};

/** `%` and `_` mean themselves. */
function containing(text: string): Prisma.Sql {
  return Prisma.sql`'%' || lower(${text.replaceAll(/[\\%_]/g, '\\$&')}) || '%'`;
}

function conditionsOf({ search, meta }: UserListRequest): Prisma.Sql[] {
  const all: Prisma.Sql[] = [];
  // The searched text has a line break between name and reference, which nobody shall find.
  if (search?.includes('\n')) all.push(Prisma.sql`FALSE`);
  else if (search !== undefined) all.push(Prisma.sql`listed.search_text LIKE ${containing(search)}`);
  if (Object.keys(meta).length > 0) all.push(Prisma.sql`listed.meta @> ${JSON.stringify(meta)}::jsonb`);
  return all;
}

/** From the one table or index that the order needs. */
function stretchOf(sortBy: UserSortField, conditions: readonly Prisma.Sql[]): Stretch {
  if (sortBy !== 'balance' && sortBy !== 'exposure') {
    const column = ownColumns[sortBy];
    return { from: users, conditions, orderedBy: column, sortKey: column };
  }
  const isPlain = conditions.length === 0;
  const column = isPlain ? moneyColumns[sortBy].alone : moneyColumns[sortBy].joined;
  return { from: isPlain ? money : usersByMoney, conditions, orderedBy: column, sortKey: column };
}

export interface UserList {
  readonly users: readonly User[];
  readonly total: number;
}

export async function listUsers(database: Database, accountId: bigint, request: UserListRequest): Promise<UserList> {
  const { sortBy, sortOrder, offset, limit } = request;
  const accountIds = [accountId];
  const conditions = conditionsOf(request);
  const query: ListQuery = {
    accountIds,
    stretches: [stretchOf(sortBy, conditions)],
    // A search may match few users or all of them: how they are found is left to the planner.
    isNarrow: false,
    order: { descending: sortOrder === 'desc' },
    offset,
    limit,
    totals:
      conditions.length === 0
        ? Prisma.sql`SELECT coalesce(sum(rows), 0)::bigint AS total FROM row_counts listed
            WHERE ${inAccounts(accountIds)} AND kind = 'users'`
        : Prisma.sql`SELECT count(*) AS total FROM ${users}
            WHERE ${Prisma.join([inAccounts(accountIds), ...conditions], ' AND ')}`,
    columns: userColumns,
    joined: Prisma.sql`JOIN users u ON u.account_id = page.account_id AND u.id = page.id
      JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id`,
  };
  const { rows, totals } = await readList<User, { readonly total: bigint }>(database, query);
  return { users: rows, total: Number(totals.total) };
}
