import type { Account, AccountListRequest } from '#accounts/account.js';
import { accountColumns } from '#accounts/account-repository.js';
import { Prisma, type Queryable } from '#platform/database/database.js';

function conditionsOf({ search, isEmailVerified }: AccountListRequest): Prisma.Sql {
  const all = [Prisma.sql`TRUE`];
  if (search !== undefined) {
    // strpos and not LIKE: every character matches itself.
    all.push(Prisma.sql`(strpos(lower(a.name), lower(${search})) > 0 OR strpos(lower(a.email), lower(${search})) > 0)`);
  }
  if (isEmailVerified !== undefined) all.push(Prisma.sql`(a.email_verified_at IS NOT NULL) = ${isEmailVerified}`);
  return Prisma.join(all, ' AND ');
}

export interface AccountList {
  readonly accounts: readonly Account[];
  readonly total: number;
}

/** One statement reads page and total, so both are of one moment. Accounts are few: it scans and counts them all. */
export async function listAccounts(database: Queryable, request: AccountListRequest): Promise<AccountList> {
  const { descending, offset, limit } = request;
  const direction = descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const order = Prisma.sql`ORDER BY a.created_at ${direction}, a.id ${direction}`;
  const rows = await database.$queryRaw<(Account & { readonly id: bigint | null; readonly total: bigint })[]>`
    WITH page AS MATERIALIZED (
      SELECT a.* FROM accounts a WHERE ${conditionsOf(request)} ${order} LIMIT ${limit} OFFSET ${offset})
    SELECT totals.total, ${accountColumns}
      FROM (SELECT count(*) AS total FROM accounts a WHERE ${conditionsOf(request)}) AS totals
      LEFT JOIN page a ON TRUE ${order}`;
  // An empty page is one row with the total alone.
  return {
    accounts: rows.filter(({ id }) => id !== null).map(({ total: _total, ...account }) => account),
    total: Number(rows[0]?.total ?? 0n),
  };
}
