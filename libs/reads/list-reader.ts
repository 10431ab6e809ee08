import { noteAsOf } from '#events/ledger-as-of.js';
import { logHeadOf } from '#events/log-head.js';
import { type Database, Prisma, type Queryable, type Tx, withTx } from '#platform/database/database.js';

// Lists stay quick at a million rows of one account for three reasons: the ids of a page are found in an index before its
// rows are read (by odds, amounts or money they are sorted, from the columns of a narrow index or table), the totals of an unfiltered list are maintained rather than counted, and a page in the back half is read
// from the other end. Page and totals come from one snapshot: they always agree.

/** A part of the list whose rows an index holds in the order of the list. */
export interface SortedPart {
  /** The tables; the table of the rows has the alias `listed`. */
  readonly from: Prisma.Sql;
  /** Beside the condition on the account. */
  readonly conditions: readonly Prisma.Sql[];
  /** The column after which the index has the id. Without such an index, all rows of the part are read and sorted. */
  readonly orderedBy: Prisma.Sql;
  /** Some rows have no value in that column. */
  readonly isNullable?: boolean;
  /** The value that the list is sorted by, which merges these rows with those of other parts. NULL: behind all others. */
  readonly sortKey: Prisma.Sql;
}

export interface ListQuery {
  readonly accountIds: readonly bigint[];
  /** Together the rows of the list. The pages of several parts are merged. */
  readonly parts: readonly SortedPart[];
  /** The conditions name users or wagers: few rows match, anywhere in the order of the list. */
  readonly isNarrow: boolean;
  readonly order: ListOrder;
  readonly offset: number;
  readonly limit: number;
  /** A SELECT of one row, with `total` in it. */
  readonly totals: Prisma.Sql;
  /** The columns of each item, `id` among them. */
  readonly columns: Prisma.Sql;
  /** The tables of the columns, joined to `page` by account_id and id. */
  readonly joined: Prisma.Sql;
}

interface ListOrder {
  readonly descending: boolean;
  /** True while a page is read from the far end. */
  readonly reversed?: boolean;
}

export interface List<Item, Totals> {
  readonly items: readonly Item[];
  readonly totals: Totals;
}

export interface TotalRow {
  readonly total: bigint;
}

/** Up to where the log of the list's account goes; NULL for a list of several accounts. */
interface HeadRow {
  readonly logHead: string | null;
}

const headColumn = ({ accountIds: [accountId, ...others] }: ListQuery): Prisma.Sql =>
  accountId === undefined || others.length > 0 ? Prisma.sql`NULL` : logHeadOf(accountId);

function noteHead({ accountIds: [accountId, ...others] }: ListQuery, { logHead: head }: HeadRow): void {
  if (accountId !== undefined && others.length === 0) noteAsOf({ accountId, head });
}

/** An offset below this costs too little to be worth a transaction of its own. */
const DEEP_OFFSET = 5_000;

export const inAccounts = (accountIds: readonly bigint[]): Prisma.Sql =>
  accountIds.length === 1
    ? Prisma.sql`listed.account_id = ${accountIds[0]}`
    : Prisma.sql`listed.account_id = ANY(${accountIds}::bigint[])`;

/** The rows of `from` in the order of one column. */
export const sortedBy = (column: Prisma.Sql, from: Prisma.Sql, conditions: readonly Prisma.Sql[]): SortedPart => ({
  from,
  conditions,
  orderedBy: column,
  sortKey: column,
});

/** Totals that count the rows. */
export const countOf = (
  from: Prisma.Sql,
  accountIds: readonly bigint[],
  conditions: readonly Prisma.Sql[],
): Prisma.Sql =>
  Prisma.sql`SELECT count(*) AS total FROM ${from} WHERE ${Prisma.join([inAccounts(accountIds), ...conditions], ' AND ')}`;

/** Totals that count the rows of several parts. */
export const countOfParts = (accountIds: readonly bigint[], parts: readonly SortedPart[]): Prisma.Sql =>
  Prisma.sql`SELECT sum(total)::bigint AS total FROM (${Prisma.join(
    parts.map(({ from, conditions }) => countOf(from, accountIds, conditions)),
    ' UNION ALL ',
  )}) AS counted`;

const directionOf = ({ descending, reversed = false }: ListOrder): Prisma.Sql =>
  descending === reversed ? Prisma.sql`ASC` : Prisma.sql`DESC`;

/** Rows without a key stand at the end of the list, in either direction. */
const nullsOf = ({ reversed = false }: ListOrder): Prisma.Sql =>
  reversed ? Prisma.sql`NULLS FIRST` : Prisma.sql`NULLS LAST`;

function mergedOrder(order: ListOrder, table: Prisma.Sql): Prisma.Sql {
  const direction = directionOf(order);
  return Prisma.sql`ORDER BY ${table}.sort_key ${direction} ${nullsOf(order)}, ${table}.id ${direction}`;
}

/**
 * The rows of a part, sorted. A wide list is read along the index that has its order, so the ORDER BY may name nothing
 * that the index does not hold. In a narrow list that scan could pass all rows of the account before the first match:
 * OFFSET 0 makes the planner collect the matching rows and sort them.
 */
function sortedRows(part: SortedPart, account: Prisma.Sql, { isNarrow, order }: ListQuery): Prisma.Sql {
  const direction = directionOf(order);
  const nulls = part.isNullable ? nullsOf(order) : Prisma.empty;
  const found = Prisma.sql`SELECT listed.account_id, listed.id, ${part.sortKey} AS sort_key
    FROM ${part.from} WHERE ${Prisma.join([account, ...part.conditions], ' AND ')}`;
  return isNarrow
    ? Prisma.sql`SELECT * FROM (${found} OFFSET 0) AS found ORDER BY sort_key ${direction} ${nulls}, id ${direction}`
    : Prisma.sql`${found} ORDER BY ${part.orderedBy} ${direction} ${nulls}, listed.id ${direction}`;
}

/** Only the first `offset + limit` rows of every account and part can be on the page. */
function mergedRows(query: ListQuery): Prisma.Sql {
  const { accountIds, parts, order, offset, limit } = query;
  const one = accountIds.length === 1;
  const account = one ? inAccounts(accountIds) : Prisma.sql`listed.account_id = scope.account_id`;
  const firsts = parts.map((part) => Prisma.sql`(${sortedRows(part, account, query)} LIMIT ${offset + limit})`);
  const all = Prisma.sql`(${Prisma.join(firsts, ' UNION ALL ')}) AS found`;
  const source = one
    ? all
    : Prisma.sql`unnest(${accountIds}::bigint[]) AS scope (account_id) CROSS JOIN LATERAL ${all}`;
  return Prisma.sql`SELECT found.account_id, found.id, found.sort_key FROM ${source}
    ${mergedOrder(order, Prisma.sql`found`)} LIMIT ${limit} OFFSET ${offset}`;
}

function pageRows(query: ListQuery): Prisma.Sql {
  const [part, ...others] = query.parts;
  if (part === undefined || others.length > 0 || query.accountIds.length > 1) return mergedRows(query);
  return Prisma.sql`${sortedRows(part, inAccounts(query.accountIds), query)}
    LIMIT ${query.limit} OFFSET ${query.offset}`;
}

async function readPage<Item>(database: Queryable, query: ListQuery): Promise<Item[]> {
  return database.$queryRaw<Item[]>`
    WITH page AS MATERIALIZED (${pageRows(query)})
    SELECT ${query.columns} FROM page ${query.joined} ${mergedOrder(query.order, Prisma.sql`page`)}`;
}

/** One statement reads page and totals, so both are of one moment. */
async function readShallow<Item, Totals extends TotalRow>(
  database: Queryable,
  query: ListQuery,
): Promise<List<Item, Totals>> {
  const rows = await database.$queryRaw<(Item & Totals & HeadRow & { readonly id: bigint | null })[]>`
    WITH page AS MATERIALIZED (${pageRows(query)}), totals AS MATERIALIZED (${query.totals})
    SELECT totals.*, ${headColumn(query)} AS "logHead", ${query.columns} FROM totals LEFT JOIN (page ${query.joined}) ON TRUE
    ${mergedOrder(query.order, Prisma.sql`page`)}`;
  // An empty page is one row with the totals alone.
  const totals = rows[0] as Totals & HeadRow;
  noteHead(query, totals);
  return { items: rows.filter(({ id }) => id !== null), totals };
}

/** Needs a snapshot: counting from the far end is right only if totals and page are of one moment. */
async function readDeep<Item, Totals extends TotalRow>(tx: Tx, query: ListQuery): Promise<List<Item, Totals>> {
  const [totals] = await tx.$queryRaw<[Totals & HeadRow]>`
    SELECT totals.*, ${headColumn(query)} AS "logHead" FROM (${query.totals}) AS totals`;
  noteHead(query, totals);
  const total = Number(totals.total);
  const { offset, limit, order } = query;
  if (offset >= total) return { items: [], totals };
  const behind = Math.max(0, total - offset - limit);
  if (behind >= offset) return { items: await readPage<Item>(tx, query), totals };
  const reversed = {
    ...query,
    order: { ...order, reversed: true },
    offset: behind,
    limit: Math.min(limit, total - offset),
  };
  return { items: (await readPage<Item>(tx, reversed)).reverse(), totals };
}

/** Inside the caller's snapshot (RepeatableRead), for a list that has to agree with other reads. */
export async function readListIn<Item, Totals extends TotalRow>(
  snapshot: Tx,
  query: ListQuery,
): Promise<List<Item, Totals>> {
  return query.offset < DEEP_OFFSET ? readShallow(snapshot, query) : readDeep(snapshot, query);
}

export async function readList<Item, Totals extends TotalRow>(
  database: Database,
  query: ListQuery,
): Promise<List<Item, Totals>> {
  if (query.offset < DEEP_OFFSET) return readShallow(database, query);
  return withTx(database, (snapshot) => readDeep<Item, Totals>(snapshot, query), 'RepeatableRead');
}
