import type { TotalRow } from '#reads/list-reader.js';
import type { List, PageCursor, PageRequest } from '#reads/page.js';

// The pages of a list as its readers take them: by number, and by cursor, forwards and backwards.

type Read<Item> = (page: PageRequest) => Promise<List<Item, TotalRow>>;

export const numbered = (number: number, limit: number): PageRequest => ({
  limit,
  offset: (number - 1) * limit,
  cursor: undefined,
  withTotals: true,
});

export const placed = (cursor: PageCursor | undefined, limit: number): PageRequest => ({
  limit,
  offset: 0,
  cursor,
  withTotals: false,
});

/** All pages by number. */
export async function pagesByNumber<Item>(read: Read<Item>, limit: number): Promise<(readonly Item[])[]> {
  const pages: (readonly Item[])[] = [];
  for (let number = 1; ; number += 1) {
    const { items, totals } = await read(numbered(number, limit));
    if (items.length > 0 || number === 1) pages.push(items);
    if (number * limit >= Number(totals?.total)) return pages;
  }
}

/** All pages by cursor: those that follow each other, then those that precede the last one, in the order of the list. */
export async function pagesByPlace<Item>(read: Read<Item>, limit: number) {
  let list = await read(placed(undefined, limit));
  const forwards = [list.items];
  while (list.next !== undefined) {
    list = await read(placed(list.next, limit));
    forwards.push(list.items);
  }
  const backwards = [list.items];
  while (list.previous !== undefined) {
    list = await read(placed(list.previous, limit));
    backwards.unshift(list.items);
  }
  return { forwards, backwards };
}
