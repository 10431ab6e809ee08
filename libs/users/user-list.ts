import { type Database, Prisma, type Queryable, withTransaction } from '#database/database.js';
import type { User, UserListRequest, UserSortField } from './user.js';
import { userColumns } from './user-repository.js';

// Lists stay quick at a million users of one account because a page is found in an index (ids only) before its rows
// are read, the total of an unfiltered list is kept rather than counted, and a page in the back half is read from the
// other end.

/** Where each order is read. Money stands in its own table, so that moving it does not touch the users' indexes. */
const sortColumns: Record<UserSortField, Prisma.Sql> = {
  id: Prisma.sql`u.id`,
  name: Prisma.sql`u.name`,
  reference: Prisma.sql`u.reference`,
  created_at: Prisma.sql`u.created_at`,
  balance: Prisma.sql`b.balance`,
  exposure: Prisma.sql`b.exposure`,
};

/** Below this an offset costs nothing worth a transaction of its own. */
const DEEP_OFFSET = 5_000;

const joined = Prisma.sql`users u JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id`;

type Order = Pick<UserListRequest, 'sortBy' | 'sortOrder'>;

const isByMoney = (sortBy: UserSortField) => sortBy === 'balance' || sortBy === 'exposure';

function orderBy({ sortBy, sortOrder }: Order): Prisma.Sql {
  const direction = sortOrder === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const tie = isByMoney(sortBy) ? Prisma.sql`b.user_id` : Prisma.sql`u.id`;
  if (sortBy === 'id') return Prisma.sql`ORDER BY ${tie} ${direction}`;
  return Prisma.sql`ORDER BY ${sortColumns[sortBy]} ${direction}, ${tie} ${direction}`;
}

/** `%` and `_` mean themselves. */
function containing(text: string): Prisma.Sql {
  return Prisma.sql`'%' || lower(${text.replaceAll(/[\\%_]/g, '\\$&')}) || '%'`;
}

function conditions(accountId: bigint, { search, meta }: UserListRequest): Prisma.Sql {
  const all = [Prisma.sql`u.account_id = ${accountId}`];
  // The searched text has a line break between name and reference, which nobody shall find.
  if (search?.includes('\n')) all.push(Prisma.sql`FALSE`);
  else if (search !== undefined) all.push(Prisma.sql`u.search_text LIKE ${containing(search)}`);
  if (Object.keys(meta).length > 0) all.push(Prisma.sql`u.meta @> ${JSON.stringify(meta)}::jsonb`);
  return Prisma.join(all, ' AND ');
}

const isFiltered = ({ search, meta }: UserListRequest) => search !== undefined || Object.keys(meta).length > 0;

async function countUsers(database: Queryable, accountId: bigint, request: UserListRequest): Promise<number> {
  const rows = isFiltered(request)
    ? await database.$queryRaw<{ total: bigint }[]>`
        SELECT count(*) AS total FROM users u WHERE ${conditions(accountId, request)}`
    : await database.$queryRaw<{ total: bigint }[]>`
        SELECT coalesce(sum(rows), 0)::bigint AS total FROM row_counts
         WHERE account_id = ${accountId} AND kind = 'users'`;
  return Number(rows[0]?.total ?? 0n);
}

/** The ids of the page, from the one table or index that its order needs. */
function pageIds(accountId: bigint, request: UserListRequest): Prisma.Sql {
  const { offset, limit } = request;
  if (isByMoney(request.sortBy) && !isFiltered(request)) {
    return Prisma.sql`SELECT b.account_id, b.user_id AS id FROM balances b WHERE b.account_id = ${accountId}
      ${orderBy(request)} LIMIT ${limit} OFFSET ${offset}`;
  }
  const source = isByMoney(request.sortBy) ? joined : Prisma.sql`users u`;
  return Prisma.sql`SELECT u.account_id, u.id FROM ${source} WHERE ${conditions(accountId, request)}
    ${orderBy(request)} LIMIT ${limit} OFFSET ${offset}`;
}

async function readPage(database: Queryable, accountId: bigint, request: UserListRequest): Promise<User[]> {
  return database.$queryRaw<User[]>`
    WITH page AS MATERIALIZED (${pageIds(accountId, request)})
    SELECT ${userColumns} FROM page JOIN ${joined} ON u.account_id = page.account_id AND u.id = page.id
    ${orderBy(request)}`;
}

/** Reads the page from whichever end of the list is nearer. */
async function readNearerEnd(
  database: Queryable,
  accountId: bigint,
  request: UserListRequest,
  total: number,
): Promise<User[]> {
  const { offset, limit, sortOrder } = request;
  if (offset >= total) return [];
  const behind = Math.max(0, total - offset - limit);
  if (behind >= offset) return readPage(database, accountId, request);
  const shown = Math.min(limit, total - offset);
  const reversed = {
    ...request,
    offset: behind,
    limit: shown,
    sortOrder: sortOrder === 'asc' ? 'desc' : 'asc',
  } as const;
  return (await readPage(database, accountId, reversed)).reverse();
}

export interface UserList {
  readonly users: readonly User[];
  readonly total: number;
}

export async function listUsers(database: Database, accountId: bigint, request: UserListRequest): Promise<UserList> {
  if (request.offset < DEEP_OFFSET) {
    const [total, users] = await Promise.all([
      countUsers(database, accountId, request),
      readPage(database, accountId, request),
    ]);
    return { users, total };
  }
  // Counting from the far end is right only if total and page are of one moment.
  return withTransaction(
    database,
    async (transaction) => {
      const total = await countUsers(transaction, accountId, request);
      return { users: await readNearerEnd(transaction, accountId, request, total), total };
    },
    'RepeatableRead',
  );
}
