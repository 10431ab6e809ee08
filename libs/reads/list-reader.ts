import { type Database, Prisma, type Queryable, type Tx, withTx } from '#platform/database/database.js';

// Lists stay quick at a million rows of one account because a page is found in an index (ids only) before its rows are
// read, the totals of an unfiltered list are kept rather than counted, and a page in the back half is read from the
// other end. Page and totals come from one snapshot: they always agree.

/** Rows that an index holds in the order of the list. */
export interface Stretch {
  /** The tables; that of the rows is called `listed`. */
  readonly from: Prisma.Sql;
  /** Besides the account's. */
  readonly conditions: readonly Prisma.Sql[];
  /** The column after which the index has the id. */
  readonly orderedBy: Prisma.Sql;
  /** By what these rows stand among those of other stretches: what the list is sorted by. NULL: behind all others. */
  readonly sortKey: Prisma.Sql;
}

export interface ListQuery {
  readonly accountIds: readonly bigint[];
  /** Together the rows of the list. Several: their pages are merged. */
  readonly stretches: readonly Stretch[];
  /** The conditions name users or wagers: few rows match, wherever in the order of the list they stand. */
  readonly isNarrow: boolean;
  readonly order: ListOrder;
  readonly offset: number;
  readonly limit: number;
  /** A SELECT of one row, with `total` in it. */
  readonly totals: Prisma.Sql;
  /** What is shown of each row, `id` among it, from what is joined to `page` by account_id and id. */
  readonly columns: Prisma.Sql;
  readonly joined: Prisma.Sql;
}

interface ListOrder {
  readonly descending: boolean;
  /** Only while a page is read from the far end. */
  readonly reversed?: boolean;
}

export interface List<Row, Totals> {
  readonly rows: readonly Row[];
  readonly totals: Totals;
}

interface WithTotal {
  readonly total: bigint;
}

/** Below this an offset costs nothing worth a transaction of its own. */
const DEEP_OFFSET = 5_000;

export const inAccounts = (accountIds: readonly bigint[]): Prisma.Sql =>
  accountIds.length === 1
    ? Prisma.sql`listed.account_id = ${accountIds[0]}`
    : Prisma.sql`listed.account_id = ANY(${accountIds}::bigint[])`;

const directionOf = ({ descending, reversed = false }: ListOrder): Prisma.Sql =>
  descending === reversed ? Prisma.sql`ASC` : Prisma.sql`DESC`;

/** Across stretches: what has no key stands at the end of the list, whatever its direction. */
function mergedOrder(order: ListOrder, table: Prisma.Sql): Prisma.Sql {
  const direction = directionOf(order);
  const nulls = order.reversed ? Prisma.sql`FIRST` : Prisma.sql`LAST`;
  return Prisma.sql`ORDER BY ${table}.sort_key ${direction} NULLS ${nulls}, ${table}.id ${direction}`;
}

/**
 * The rows of a stretch, sorted. A wide list is read along the index that has its order: nothing that the index does not
 * know may stand in the ORDER BY. In a narrow one that walk could pass all rows of the account before it met the first
 * that matches; OFFSET 0 keeps the planner from hoping for the best, it collects what matches and sorts that.
 */
function stretchRows(stretch: Stretch, account: Prisma.Sql, { isNarrow, order }: ListQuery): Prisma.Sql {
  const direction = directionOf(order);
  const found = Prisma.sql`SELECT listed.account_id, listed.id, ${stretch.sortKey} AS sort_key
    FROM ${stretch.from} WHERE ${Prisma.join([account, ...stretch.conditions], ' AND ')}`;
  return isNarrow
    ? Prisma.sql`SELECT * FROM (${found} OFFSET 0) AS found ORDER BY sort_key ${direction}, id ${direction}`
    : Prisma.sql`${found} ORDER BY ${stretch.orderedBy} ${direction}, listed.id ${direction}`;
}

/** Of every account and stretch no more can be on the page than its first `offset + limit`. */
function mergedRows(query: ListQuery): Prisma.Sql {
  const { accountIds, stretches, order, offset, limit } = query;
  const one = accountIds.length === 1;
  const account = one ? inAccounts(accountIds) : Prisma.sql`listed.account_id = scope.account_id`;
  const firsts = stretches.map(
    (stretch) => Prisma.sql`(${stretchRows(stretch, account, query)} LIMIT ${offset + limit})`,
  );
  const all = Prisma.sql`(${Prisma.join(firsts, ' UNION ALL ')}) AS found`;
  const source = one
    ? all
    : Prisma.sql`unnest(${accountIds}::bigint[]) AS scope (account_id) CROSS JOIN LATERAL ${all}`;
  return Prisma.sql`SELECT found.account_id, found.id, found.sort_key FROM ${source}
    ${mergedOrder(order, Prisma.sql`found`)} LIMIT ${limit} OFFSET ${offset}`;
}

function pageRows(query: ListQuery): Prisma.Sql {
  const [stretch, ...others] = query.stretches;
  if (stretch === undefined || others.length > 0 || query.accountIds.length > 1) return mergedRows(query);
  return Prisma.sql`${stretchRows(stretch, inAccounts(query.accountIds), query)}
    LIMIT ${query.limit} OFFSET ${query.offset}`;
}

async function readRows<Row>(database: Queryable, query: ListQuery): Promise<Row[]> {
  return database.$queryRaw<Row[]>`
    WITH page AS MATERIALIZED (${pageRows(query)})
    SELECT ${query.columns} FROM page ${query.joined} ${mergedOrder(query.order, Prisma.sql`page`)}`;
}

/** Page and totals in one statement, and therefore of one moment. */
async function readShallow<Row, Totals extends WithTotal>(
  database: Queryable,
  query: ListQuery,
): Promise<List<Row, Totals>> {
  const rows = await database.$queryRaw<(Row & Totals & { readonly id: bigint | null })[]>`
    WITH page AS MATERIALIZED (${pageRows(query)}), totals AS MATERIALIZED (${query.totals})
    SELECT totals.*, ${query.columns} FROM totals LEFT JOIN (page ${query.joined}) ON TRUE
    ${mergedOrder(query.order, Prisma.sql`page`)}`;
  // The totals are there even when the page is empty.
  const totals = rows[0] as Totals;
  return { rows: rows.filter(({ id }) => id !== null), totals };
}

/** Counting from the far end is right only if totals and page are of one moment: in one snapshot. */
async function readDeep<Row, Totals extends WithTotal>(tx: Tx, query: ListQuery): Promise<List<Row, Totals>> {
  const [totals] = await tx.$queryRaw<[Totals]>`${query.totals}`;
  const total = Number(totals.total);
  const { offset, limit, order } = query;
  if (offset >= total) return { rows: [], totals };
  const behind = Math.max(0, total - offset - limit);
  if (behind >= offset) return { rows: await readRows<Row>(tx, query), totals };
  const reversed = {
    ...query,
    order: { ...order, reversed: true },
    offset: behind,
    limit: Math.min(limit, total - offset),
  };
  return { rows: (await readRows<Row>(tx, reversed)).reverse(), totals };
}

/** Inside a snapshot of the caller's (RepeatableRead), for what has to agree with other reads. */
export async function readListIn<Row, Totals extends WithTotal>(
  snapshot: Tx,
  query: ListQuery,
): Promise<List<Row, Totals>> {
  return query.offset < DEEP_OFFSET ? readShallow(snapshot, query) : readDeep(snapshot, query);
}

export async function readList<Row, Totals extends WithTotal>(
  database: Database,
  query: ListQuery,
): Promise<List<Row, Totals>> {
  if (query.offset < DEEP_OFFSET) return readShallow(database, query);
  return withTx(database, (snapshot) => readDeep<Row, Totals>(snapshot, query), 'RepeatableRead');
}
