import { noteInexact } from '#events/event-position.js';
import type { AccountTables, Database } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { CursorValue } from './cursor.js';
import type { TotalRow } from './list-reader.js';
import { type List, type ListOrder, type PageRequest, pageOf, type SortedRow } from './page.js';

interface ListRequest {
  readonly accountIds: readonly bigint[];
  readonly descending: boolean;
  readonly page: PageRequest;
}

type Read<Request, Item, Totals> = (tables: AccountTables, request: Request) => Promise<List<Item, Totals>>;

export interface Merging<Item, Totals> {
  /** Where an item stands in the list. */
  readonly rowOf: (item: Item) => SortedRow;
  readonly sumOf: (totals: readonly Totals[]) => Totals;
}

export const sumOfTotals = (totals: readonly TotalRow[]): TotalRow => ({
  total: totals.reduce((sum, { total }) => sum + total, 0n),
});

/**
 * Reads a list of accounts in several shard groups from each, and merges the pages. Ids are of one range for all of them, so
 * a cursor stands between the rows of each. One PostgreSQL, the rule, reads its page itself.
 */
export async function readMerged<Request extends ListRequest, Item, Totals>(
  database: Database,
  request: Request,
  read: Read<Request, Item, Totals>,
  merging: Merging<Item, Totals>,
): Promise<List<Item, Totals>> {
  const parts = database.groups(request.accountIds, (accountId) => accountId);
  const [only] = parts;
  // No account: no table has a row of it.
  if (parts.length <= 1) return read(only?.[0] ?? database.of(0n), request);
  // Each shard group notes the head of the one account that it may have.
  noteInexact({ database });
  const page = partOf(request.page, parts.length);
  const lists = await Promise.all(parts.map(([tables, accountIds]) => read(tables, { ...request, accountIds, page })));
  return mergeLists(lists, request, merging);
}

/** Of all shard groups together: they come into memory, and all but a page of them are left out. */
const MAX_ROWS = 10_000;

/**
 * Only the first `offset + limit` rows of a shard group can be on the page. One more shows whether another page follows. A first
 * page, and a page by cursor, has no offset.
 */
export function partOf({ offset, limit, ...page }: PageRequest, groups: number): PageRequest {
  const rows = offset + limit + 1;
  if (offset > 0 && rows * groups > MAX_ROWS) throw new Refusal('page-too-deep');
  return { ...page, offset: 0, limit: rows };
}

export function mergeLists<Item, Totals>(
  lists: readonly List<Item, Totals>[],
  { descending, page }: Pick<ListRequest, 'descending' | 'page'>,
  { rowOf, sumOf }: Merging<Item, Totals>,
): List<Item, Totals> {
  const order: ListOrder = { descending };
  const rows = lists
    .flatMap(({ items }) => items.map((item) => ({ ...rowOf(item), item })))
    .sort(comparing({ descending }));
  const asRead = page.cursor?.side === 'before' ? rows.reverse() : rows.slice(page.offset);
  const { items, ...cursors } = pageOf(asRead.slice(0, page.limit + 1), page, order);
  const totals = lists.flatMap((list) => (list.totals === undefined ? [] : [list.totals]));
  return {
    ...cursors,
    items: items.map(({ item }) => item),
    totals: totals.length === lists.length ? sumOf(totals) : undefined,
  };
}

/** Items without a key stand at the end, in either direction; ties stand by id. */
function comparing({ descending }: ListOrder): (one: SortedRow, other: SortedRow) => number {
  const sign = descending ? -1 : 1;
  const compare = (one: NonNullable<CursorValue>, other: NonNullable<CursorValue>) =>
    one < other ? -sign : one > other ? sign : 0;
  return (one, other) => {
    const [oneKey, otherKey] = [one.sortKey, other.sortKey];
    if (oneKey === null || otherKey === null) {
      return oneKey === otherKey ? compare(one.id, other.id) : oneKey === null ? 1 : -1;
    }
    return compare(oneKey, otherKey) || compare(one.id, other.id);
  };
}
