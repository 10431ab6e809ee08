import { Prisma } from '#platform/database/database.js';
import { CURSOR_MALFORMED, CursorFault, type CursorValue } from './cursor.js';

// Where a page of a list begins and ends. A list is ordered by a sort key, then by id. A place is a row's sort key and id:
// PostgreSQL finds it in an index, so a page costs the same at any depth, and rows that others insert move no page.

export interface PageBound {
  /** The page has the rows that follow the place, or those that precede it. */
  readonly side: 'after' | 'before';
  readonly key: CursorValue;
  readonly id: bigint;
}

/** A page by its place, or by how many rows precede it. */
export interface PageRequest {
  readonly limit: number;
  /** 0 with a place. */
  readonly offset: number;
  readonly place: PageBound | undefined;
  readonly withTotals: boolean;
  /** A page by cursor may have fewer rows: its cursors say where it ends. A page by number has all of its rows. */
  readonly mayEndEarly?: boolean;
}

export interface ListOrder {
  readonly descending: boolean;
  /** True while a page is read from its far end. */
  readonly reversed?: boolean;
}

export const isAscending = ({ descending, reversed = false }: ListOrder): boolean => descending === reversed;

const keyTypes = {
  timestamptz: (key: CursorValue) => key instanceof Date,
  bigint: (key: CursorValue) => typeof key === 'bigint',
  text: (key: CursorValue) => typeof key === 'string',
} as const;

/** PostgreSQL's type of a sort key. */
export type KeyType = keyof typeof keyTypes;

/** How the rows of one part of a list are sorted. */
export interface Sort {
  /** The column after which an index has the id, or an expression. */
  readonly orderedBy: Prisma.Sql;
  readonly keyType: KeyType;
  /** Whether some or all of the rows have no sort key. They stand at the end of the list, in either direction. */
  readonly missingKeys: 'none' | 'some' | 'all';
}

const all = Prisma.sql`TRUE`;
const none = Prisma.sql`FALSE`;

/** Behind a row without a sort key: such rows stand at the end of the list, by id. */
function isBeyondKeyless(id: bigint, { orderedBy, missingKeys }: Sort, order: ListOrder): Prisma.Sql {
  const is = isAscending(order) ? Prisma.sql`>` : Prisma.sql`<`;
  if (missingKeys === 'all') return Prisma.sql`${orderedBy} ${is} ${id}::bigint`;
  if (missingKeys === 'none') return order.reversed ? all : none;
  const byId = Prisma.sql`(${orderedBy} IS NULL AND listed.id ${is} ${id}::bigint)`;
  return order.reversed ? Prisma.sql`(${orderedBy} IS NOT NULL OR ${byId})` : byId;
}

/** The condition on the rows that come behind the place, in the order in which the page is read. */
export function isBeyond({ key, id }: PageBound, sort: Sort, order: ListOrder): Prisma.Sql {
  const { orderedBy, keyType, missingKeys } = sort;
  if (key === null) return isBeyondKeyless(id, sort, order);
  if (!keyTypes[keyType](key)) throw new CursorFault(CURSOR_MALFORMED);
  if (missingKeys === 'all') return order.reversed ? none : all;
  const is = isAscending(order) ? Prisma.sql`>` : Prisma.sql`<`;
  const byKey = Prisma.sql`(${orderedBy}, listed.id) ${is} (${key}::${Prisma.raw(keyType)}, ${id}::bigint)`;
  return missingKeys === 'some' && !order.reversed ? Prisma.sql`(${byKey} OR ${orderedBy} IS NULL)` : byKey;
}

/** What a list adds to each row that it reads. */
export interface PlacedRow {
  readonly id: bigint;
  readonly sortKey: CursorValue;
}

export interface List<Item, Totals> {
  readonly items: readonly Item[];
  /** Undefined when the request wants none. */
  readonly totals: Totals | undefined;
  /** Of the page that follows; undefined: there is none, or the page was found by its number. */
  readonly next?: PageBound | undefined;
  readonly previous?: PageBound | undefined;
}

const placeAt = (side: PageBound['side'], row: PlacedRow | undefined): PageBound | undefined =>
  row && { side, key: row.sortKey, id: row.id };

/** From an empty page, the page on the other side of its place, with the row of the place. */
function turned({ side, key, id }: PageBound, { descending }: ListOrder): PageBound {
  const isUp = (side === 'after') !== descending;
  return { side: side === 'after' ? 'before' : 'after', key, id: isUp ? id + 1n : id - 1n };
}

/** The page, from rows in the order in which they were read: one more than the limit, when there are more. */
export function pageOf<Item extends PlacedRow>(
  rows: readonly Item[],
  { limit, offset, place }: PageRequest,
  order: ListOrder,
): Pick<List<Item, never>, 'items' | 'next' | 'previous'> {
  const isBackwards = place?.side === 'before';
  const items = isBackwards ? rows.slice(0, limit).reverse() : rows.slice(0, limit);
  if (items.length === 0) {
    if (place === undefined) return { items };
    return isBackwards ? { items, next: turned(place, order) } : { items, previous: turned(place, order) };
  }
  const isMore = rows.length > limit;
  const hasNext = isBackwards || isMore;
  const hasPrevious = isBackwards ? isMore : place !== undefined || offset > 0;
  return {
    items,
    next: hasNext ? placeAt('after', items.at(-1)) : undefined,
    previous: hasPrevious ? placeAt('before', items[0]) : undefined,
  };
}
