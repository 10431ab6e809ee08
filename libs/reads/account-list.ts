import type { Account, AccountFilters } from '#accounts/account.js';
import { accountColumns } from '#accounts/account-repository.js';
import { Prisma, type Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { createdWithin, type TotalRow } from './list-reader.js';
import { isAscending, isBeyond, type List, type PageRequest, pageOf, type Sort, type SortedRow } from './page.js';

function conditionsOf({ search, isEmailVerified, ...filters }: AccountFilters): Prisma.Sql[] {
  const all = [Prisma.sql`TRUE`, ...createdWithin(filters)];
  if (search !== undefined) {
    // strpos and not LIKE: every character matches itself.
    all.push(
      Prisma.sql`(strpos(lower(listed.name), lower(${search})) > 0 OR strpos(lower(listed.email), lower(${search})) > 0)`,
    );
  }
  if (isEmailVerified !== undefined) all.push(Prisma.sql`(listed.email_verified_at IS NOT NULL) = ${isEmailVerified}`);
  return all;
}

const sort: Sort = { orderedBy: Prisma.sql`listed.created_at`, keyType: 'timestamptz', missingKeys: 'none' };

export interface AccountListRequest extends AccountFilters {
  readonly page: PageRequest;
}

type AccountRow = Account & TotalRow & SortedRow & { readonly id: bigint | null };

/** One statement reads page and total, so both are of one moment. Accounts are few: it scans and counts them all. */
export async function listAccounts(tables: Queryable, request: AccountListRequest): Promise<List<Account, TotalRow>> {
  const { descending, page } = request;
  const order = { descending, reversed: page.cursor?.side === 'before' };
  const direction = isAscending(order) ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const conditions = conditionsOf(request);
  const beyond = page.cursor === undefined ? [] : [isBeyond(page.cursor, sort, order)];
  const rows = await queryRows<AccountRow>(
    tables,
    Prisma.sql`
    WITH page AS MATERIALIZED (
      SELECT listed.* FROM accounts listed WHERE ${Prisma.join([...conditions, ...beyond], ' AND ')}
       ORDER BY listed.created_at ${direction}, listed.id ${direction} LIMIT ${page.limit + 1} OFFSET ${page.offset})
    SELECT totals.total, ${accountColumns}, a.created_at AS "sortKey"
      FROM (SELECT count(*) AS total FROM accounts listed WHERE ${Prisma.join(conditions, ' AND ')}) AS totals
      LEFT JOIN page a ON TRUE ORDER BY a.created_at ${direction}, a.id ${direction}`,
  );
  // An empty page is one row with the total alone.
  const found = rows.filter(({ id }) => id !== null);
  const totals = page.withTotals ? { total: rows[0]?.total ?? 0n } : undefined;
  return { ...pageOf(found, page, order), totals };
}
