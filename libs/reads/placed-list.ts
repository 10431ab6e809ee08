import type { Database } from '#platform/database/database.js';
import { byPlacement, placementOf } from '#platform/database/placement.js';

interface ListRequest {
  readonly accountIds: readonly bigint[];
  readonly offset: number;
  readonly limit: number;
}

/** A page with the totals of the whole list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** What items are sorted by. Those without a key stand at the end, in either direction; ties stand by id. */
export interface ItemOrder<Item> {
  readonly descending: boolean;
  readonly keyOf: (item: Item) => bigint | Date | null;
  readonly idOf: (item: Item) => bigint;
}

type Read<Request, Item, Sums> = (placement: Database, request: Request) => Promise<Page<Item> & Sums>;

/**
 * Reads a list of accounts in several placements from each, and merges the pages: only the first `offset + limit` rows of a
 * placement can be on the page. One placement, the rule, reads its page itself.
 */
export async function readPlaced<Request extends ListRequest, Item, Sums extends object>(
  database: Database,
  request: Request,
  read: Read<Request, Item, Sums>,
  { order, sumOf }: { readonly order: ItemOrder<Item>; readonly sumOf: (pages: readonly Sums[]) => Sums },
): Promise<Page<Item> & Sums> {
  const parts = byPlacement(database, request.accountIds, (accountId) => accountId);
  const [only] = parts;
  // No account: any placement has no row of it.
  if (parts.length <= 1) return read(only?.[0] ?? placementOf(database, 0n), request);
  const { offset, limit } = request;
  const pages = await Promise.all(
    parts.map(([placement, accountIds]) =>
      read(placement, { ...request, accountIds, offset: 0, limit: offset + limit }),
    ),
  );
  const items = pages.flatMap((page) => page.items).sort(comparing(order));
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  return { ...sumOf(pages), items: items.slice(offset, offset + limit), total };
}

function comparing<Item>({ descending, keyOf, idOf }: ItemOrder<Item>): (one: Item, other: Item) => number {
  const compare = <Value>(one: Value, other: Value) => (one < other ? -1 : one > other ? 1 : 0) * (descending ? -1 : 1);
  return (one, other) => {
    const [oneKey, otherKey] = [keyOf(one), keyOf(other)];
    if ((oneKey === null) !== (otherKey === null)) return oneKey === null ? 1 : -1;
    if (oneKey !== null && otherKey !== null && Number(oneKey) !== Number(otherKey)) {
      return compare(oneKey, otherKey);
    }
    return compare(idOf(one), idOf(other));
  };
}
