import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { Prisma, type Queryable, type Tables, type Tx, withTx } from '#platform/database/database.js';
import { PREPARED_WHEN_FREQUENT } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { fittingCount } from '#platform/quotas/answer-size.js';
import {
  isAscending,
  isBeyond,
  type KeyType,
  type List,
  type ListOrder,
  type PageRequest,
  pageOf,
  type Sort,
  type SortedRow,
} from './page.js';

// Lists stay quick at a million rows of one account: the ids of a page are found in an index before its rows are read (by
// odds, amounts or money they are sorted, from the columns of a narrow index or table), the totals of an unfiltered list
// are maintained rather than counted, and a page begins at its cursor in the index, or when it has a number and stands in
// the back half, is read from the other end. Page and totals come from one snapshot: they always agree.

/** A part of the list whose rows an index holds in the order of the list. Without one, all rows of the part are sorted. */
export interface SortedPart extends Sort {
  /** The tables; the table of the rows has the alias `listed`. */
  readonly from: Prisma.Sql;
  /** Beside the condition on the account. */
  readonly conditions: readonly Prisma.Sql[];
  /** The value that merges these rows with those of other parts: what they are ordered by, or NULL. */
  readonly sortKey: Prisma.Sql;
}

export interface ListQuery {
  readonly accountIds: readonly bigint[];
  /** Together the rows of the list. The pages of several parts are merged. */
  readonly parts: readonly SortedPart[];
  /** The conditions name users or wagers: few rows match, anywhere in the order of the list. */
  readonly isNarrow: boolean;
  readonly order: ListOrder;
  readonly page: PageRequest;
  /** A SELECT of one row, with `total` in it. Undefined: the page is read without totals. */
  readonly totals: Prisma.Sql | undefined;
  /** The columns of each item, `id` among them. */
  readonly columns: Prisma.Sql;
  /** The tables of the columns, joined to `page` by account_id and id. */
  readonly joined: Prisma.Sql;
  /** The values of a row that the caller's business chose freely: with them a page may have too many bytes. */
  readonly freeColumns?: readonly string[] | undefined;
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

/** A SELECT of one row. */
const totalsWithHead = (query: ListQuery): Prisma.Sql =>
  query.totals === undefined
    ? Prisma.sql`SELECT ${headColumn(query)} AS "logHead"`
    : Prisma.sql`SELECT counted.*, ${headColumn(query)} AS "logHead" FROM (${query.totals}) AS counted`;

function noteHead(queryable: Queryable, { accountIds }: ListQuery, { logHead: head }: HeadRow): void {
  const [accountId, ...others] = accountIds;
  if (accountId !== undefined && others.length === 0) noteAsOf(queryable, { accountId, head });
}

/** An offset below this costs too little to be worth a transaction of its own. */
const DEEP_OFFSET = 5_000;

/** PostgreSQL takes an array that it does not know for ten ids: a plan for one must say so. */
export const inAccounts = (accountIds: readonly bigint[]): Prisma.Sql =>
  accountIds.length === 1
    ? Prisma.sql`listed.account_id = ${accountIds[0]}`
    : Prisma.sql`listed.account_id = ANY(${accountIds}::bigint[])`;

/**
 * Of users or wagers. The planner does not see a value that a subquery returns. So a plan for given ids is not cheaper than
 * one for any ids, and PostgreSQL keeps that one: planning a narrow list takes longer than reading it.
 */
export const isOneOf = (column: Prisma.Sql, ids: readonly bigint[]): Prisma.Sql =>
  ids.length === 1
    ? Prisma.sql`${column} = (SELECT ${ids[0]}::bigint)`
    : Prisma.sql`${column} = ANY((SELECT ${ids}::bigint[])::bigint[])`;

/** When the rows of a list were created: not before and not after these moments. */
export interface CreatedWithin {
  readonly createdFrom?: Date | undefined;
  readonly createdUntil?: Date | undefined;
}

export const createdWithin = ({ createdFrom, createdUntil }: CreatedWithin): Prisma.Sql[] => [
  ...(createdFrom === undefined ? [] : [Prisma.sql`listed.created_at >= ${createdFrom}`]),
  ...(createdUntil === undefined ? [] : [Prisma.sql`listed.created_at <= ${createdUntil}`]),
];

/** A column that a list is sorted by. */
export interface SortColumn {
  readonly column: Prisma.Sql;
  readonly keyType: KeyType;
}

/** The rows of `from` in the order of one column. */
export const sortedBy = (
  { column, keyType }: SortColumn,
  from: Prisma.Sql,
  conditions: readonly Prisma.Sql[],
): SortedPart => ({ from, conditions, orderedBy: column, sortKey: column, keyType, missingKeys: 'none' });

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

const directionOf = (order: ListOrder): Prisma.Sql => (isAscending(order) ? Prisma.sql`ASC` : Prisma.sql`DESC`);

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
function sortedRows(part: SortedPart, account: Prisma.Sql, { isNarrow, order, page }: ListQuery): Prisma.Sql {
  const direction = directionOf(order);
  const nulls = part.missingKeys === 'some' ? nullsOf(order) : Prisma.empty;
  const beyond = page.cursor === undefined ? [] : [isBeyond(page.cursor, part, order)];
  const found = Prisma.sql`SELECT listed.account_id, listed.id, ${part.sortKey} AS sort_key
    FROM ${part.from} WHERE ${Prisma.join([account, ...part.conditions, ...beyond], ' AND ')}`;
  return isNarrow
    ? Prisma.sql`SELECT * FROM (${found} OFFSET 0) AS found ORDER BY sort_key ${direction} ${nulls}, id ${direction}`
    : Prisma.sql`${found} ORDER BY ${part.orderedBy} ${direction} ${nulls}, listed.id ${direction}`;
}

/** In the text of the statement: without the number a prepared plan would be made for a tenth of all rows. */
export const literal = (count: number): Prisma.Sql => Prisma.raw(String(BigInt(count)));

/**
 * PostgreSQL finds the rows of a narrow list by the same index for every user or wager, so one plan serves all requests.
 * It plans a wide list anew each time, because the best plan depends on the size of the account.
 */
const preparation = ({ isNarrow }: ListQuery): Prisma.Sql =>
  isNarrow ? Prisma.raw(PREPARED_WHEN_FREQUENT) : Prisma.empty;

/** Only the first `offset + limit` rows of every account and part can be on the page. */
function mergedRows(query: ListQuery): Prisma.Sql {
  const { accountIds, parts, order, page } = query;
  const { offset, limit } = page;
  const one = accountIds.length === 1;
  const account = one ? inAccounts(accountIds) : Prisma.sql`listed.account_id = scope.account_id`;
  const firsts = parts.map(
    (part) => Prisma.sql`(${sortedRows(part, account, query)} LIMIT ${literal(offset + limit)})`,
  );
  const all = Prisma.sql`(${Prisma.join(firsts, ' UNION ALL ')}) AS found`;
  const source = one
    ? all
    : Prisma.sql`unnest(${accountIds}::bigint[]) AS scope (account_id) CROSS JOIN LATERAL ${all}`;
  return Prisma.sql`SELECT found.account_id, found.id, found.sort_key FROM ${source}
    ${mergedOrder(order, Prisma.sql`found`)} LIMIT ${literal(limit)} OFFSET ${literal(offset)}`;
}

function pageRows(query: ListQuery): Prisma.Sql {
  const [part, ...others] = query.parts;
  if (part === undefined || others.length > 0 || query.accountIds.length > 1) return mergedRows(query);
  return Prisma.sql`${sortedRows(part, inAccounts(query.accountIds), query)}
    LIMIT ${literal(query.page.limit)} OFFSET ${literal(query.page.offset)}`;
}

/** So many rows of a part are passed in a few milliseconds. */
const SOON = 1_000;

/** Whether these rows are all that there are, or enough of them match. */
function firstsOf(part: SortedPart, matches: Prisma.Sql, query: ListQuery): Prisma.Sql {
  const { offset, limit } = query.page;
  // Instead of the key: PostgreSQL computes it for the rows of the limit alone, which an index holds in order.
  const rows = sortedRows({ ...part, sortKey: matches }, inAccounts(query.accountIds), query);
  return Prisma.sql`SELECT count(*) < ${literal(SOON)} OR count(*) FILTER (WHERE sort_key) > ${literal(offset + limit)} AS fills
    FROM (${rows} LIMIT ${literal(SOON)}) AS firsts`;
}

/** Whether a page of those rows of a wide list that match is full soon, where the rows are passed in their order. */
export async function fillsSoon(tx: Tx, query: ListQuery, matches: Prisma.Sql): Promise<boolean> {
  const { accountIds, parts, isNarrow, page } = query;
  // Every list has an index by time.
  const isBounded = accountIds.length === 1 && parts.every(({ keyType }) => keyType === 'timestamptz');
  if (isNarrow || !isBounded || page.offset >= SOON) return false;
  const order = { ...query.order, reversed: page.cursor?.side === 'before' };
  const firsts = parts.map((part) => firstsOf(part, matches, { ...query, order }));
  const rows = await queryRows<{ readonly fills: boolean }>(tx, Prisma.join(firsts, ' UNION ALL '));
  return rows.every(({ fills }) => fills);
}

async function readPage<Item>(tables: Queryable, query: ListQuery): Promise<(Item & SortedRow)[]> {
  return queryRows<Item & SortedRow>(
    tables,
    Prisma.sql`${preparation(query)}
    WITH page AS MATERIALIZED (${pageRows(query)})
    SELECT ${query.columns}, page.sort_key AS "sortKey"
      FROM page ${query.joined} ${mergedOrder(query.order, Prisma.sql`page`)}`,
  );
}

/** Reads the page, and the totals when the request wants them, from one snapshot. */
async function readWhole<Item, Totals>(tables: Queryable, query: ListQuery) {
  const totals = totalsWithHead(query);
  const rows = await queryRows<Item & Totals & HeadRow & SortedRow & { readonly id: bigint | null }>(
    tables,
    Prisma.sql`${preparation(query)}
    WITH page AS MATERIALIZED (${pageRows(query)}), totals AS MATERIALIZED (${totals})
    SELECT totals.*, ${query.columns}, page.sort_key AS "sortKey"
      FROM totals LEFT JOIN (page ${query.joined}) ON TRUE ${mergedOrder(query.order, Prisma.sql`page`)}`,
  );
  // An empty page is one row with the totals alone.
  const first = rows[0] as Totals & HeadRow;
  noteHead(tables, query, first);
  return {
    rows: rows.filter(({ id }) => id !== null),
    totals: query.totals === undefined ? undefined : (first as Totals),
  };
}

/** All other columns of a row together, as JSON. */
const BOUNDED_BYTES = 4_096;

/** The page, which ends where its bytes do when it may. */
function fittingPage(rows: readonly object[], { page, freeColumns }: ListQuery): PageRequest {
  if (page.mayEndEarly !== true || freeColumns === undefined) return page;
  const bytesOf = (row: Readonly<Record<string, unknown>>) =>
    BOUNDED_BYTES + Buffer.byteLength(JSON.stringify(freeColumns.map((name) => row[name])));
  return { ...page, limit: Math.min(page.limit, fittingCount(rows as readonly Record<string, unknown>[], bytesOf)) };
}

/** Reads one row more than the page has, which shows whether another page follows. */
async function readShallow<Item, Totals>(tables: Queryable, query: ListQuery): Promise<List<Item, Totals>> {
  const { page, order } = query;
  const { rows, totals } = await readWhole<Item, Totals>(tables, {
    ...query,
    order: { ...order, reversed: page.cursor?.side === 'before' },
    page: { ...page, limit: page.limit + 1 },
  });
  return { ...pageOf(rows, fittingPage(rows, query), order), totals };
}

/** Needs a snapshot: counting from the far end is right only if totals and page are of one moment. */
async function readDeep<Item, Totals extends TotalRow>(tx: Tx, query: ListQuery): Promise<List<Item, Totals>> {
  const rows = await queryRows<Totals & HeadRow>(tx, totalsWithHead(query));
  const totals = rows[0] as Totals & HeadRow;
  noteHead(tx, query, totals);
  const total = Number(totals.total);
  const { page, order } = query;
  const { offset, limit } = page;
  if (offset >= total) return { items: [], totals };
  const behind = Math.max(0, total - offset - limit);
  if (behind >= offset) return { items: await readPage<Item>(tx, query), totals };
  const reversed = {
    ...query,
    order: { ...order, reversed: true },
    page: { ...page, offset: behind, limit: Math.min(limit, total - offset) },
  };
  return { items: (await readPage<Item>(tx, reversed)).reverse(), totals };
}

/** Inside the caller's snapshot (RepeatableRead), for a list that has to agree with other reads. */
export async function readListIn<Item, Totals extends TotalRow>(
  snapshot: Tx,
  query: ListQuery,
): Promise<List<Item, Totals>> {
  const { totals, page } = query;
  return totals === undefined || page.offset < DEEP_OFFSET ? readShallow(snapshot, query) : readDeep(snapshot, query);
}

export async function readList<Item, Totals extends TotalRow>(
  tables: Tables,
  query: ListQuery,
): Promise<List<Item, Totals>> {
  const { totals, page } = query;
  if (totals === undefined || page.offset < DEEP_OFFSET) return readShallow(tables, query);
  return withTx(tables, (snapshot) => readDeep<Item, Totals>(snapshot, query), 'RepeatableRead');
}

/** The page of a short list, and what it may ask for beside it. */
export interface ShortListRequest extends CreatedWithin {
  readonly page: PageRequest;
  readonly descending: boolean;
}

/** A list of one table whose total is counted. */
export interface ShortList
  extends Pick<ListQuery, 'accountIds' | 'columns' | 'joined' | 'freeColumns'>,
    Pick<SortedPart, 'from'> {
  /** Beside those on the account and on the time of creation. */
  readonly conditions?: readonly Prisma.Sql[];
  /** By default the id. */
  readonly sortColumn?: SortColumn;
}

const byId: SortColumn = { column: Prisma.sql`listed.id`, keyType: 'bigint' };

export function readShortList<Item>(
  tables: Tables,
  { accountIds, from, conditions = [], sortColumn = byId, columns, joined, freeColumns }: ShortList,
  { page, descending, ...created }: ShortListRequest,
): Promise<List<Item, TotalRow>> {
  const all = [...conditions, ...createdWithin(created)];
  return readList(tables, {
    accountIds,
    parts: [sortedBy(sortColumn, from, all)],
    isNarrow: false,
    order: { descending },
    page,
    totals: page.withTotals ? countOf(from, accountIds, all) : undefined,
    columns,
    joined,
    freeColumns,
  });
}
