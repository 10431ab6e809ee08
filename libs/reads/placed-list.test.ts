import { describe, expect, it } from '@jest/globals';
import { Refusal } from '#platform/errors/refusal.js';
import { type List, type PageBound, type PlacedRow, pageOf } from './page.js';
import { mergeLists, partOf, sumOfTotals } from './placed-list.js';

const LIMIT = 4;

/** Ties, and rows without a sort key. */
const keys = [5n, 3n, null, 3n, 9n, null, 3n, 1n, 5n, 7n, null, 2n, 3n];
const all: readonly PlacedRow[] = keys.map((sortKey, index) => ({ id: BigInt(index + 1), sortKey }));
const parts = [0, 1, 2].map((part) => all.filter((_, index) => index % 3 === part));

function inOrder(rows: readonly PlacedRow[], descending: boolean): PlacedRow[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const byPresence = Number(one.sortKey === null) - Number(other.sortKey === null);
    return byPresence || sign * (Number(one.sortKey) - Number(other.sortKey)) || sign * Number(one.id - other.id);
  });
}

interface Request {
  readonly descending: boolean;
  readonly page: {
    readonly limit: number;
    readonly offset: number;
    readonly place: PageBound | undefined;
    readonly withTotals: boolean;
  };
}

/** As PostgreSQL reads a page of one placement. */
function readOf(
  rows: readonly PlacedRow[],
  { descending, page }: Request,
): List<PlacedRow, { readonly total: bigint }> {
  const sorted = inOrder(rows, descending);
  const { place, offset, limit } = page;
  const position = (row: PlacedRow) => inOrder([...all], descending).findIndex(({ id }) => id === row.id);
  const at = place && position({ id: place.id, sortKey: place.key as bigint });
  const found =
    at === undefined
      ? sorted.slice(offset)
      : place?.side === 'after'
        ? sorted.filter((row) => position(row) > at)
        : sorted.filter((row) => position(row) < at).reverse();
  const totals = page.withTotals ? { total: BigInt(rows.length) } : undefined;
  return { ...pageOf(found.slice(0, limit + 1), page, { descending }), totals };
}

const merged = (request: Request) =>
  mergeLists(
    parts.map((rows) => readOf(rows, { ...request, page: partOf(request.page, parts.length) })),
    request,
    { rowOf: (row: PlacedRow) => row, sumOf: sumOfTotals },
  );

describe.each([{ descending: false }, { descending: true }])(
  'pages of several placements, $descending',
  ({ descending }) => {
    const whole = inOrder(all, descending);

    it('are those of one list, by their numbers', () => {
      for (let offset = 0; offset <= whole.length; offset += LIMIT) {
        const request = { descending, page: { limit: LIMIT, offset, place: undefined, withTotals: true } };
        expect(merged(request)).toEqual(readOf(all, request));
        expect(merged(request).totals).toEqual({ total: BigInt(all.length) });
      }
    });

    it('are those of one list behind and before each place', () => {
      for (const { id, sortKey: key } of whole) {
        for (const side of ['after', 'before'] as const) {
          const request = {
            descending,
            page: { limit: LIMIT, offset: 0, place: { side, key, id }, withTotals: false },
          };
          expect(merged(request)).toEqual(readOf(all, request));
        }
      }
    });
  },
);

describe('a page by its number', () => {
  const pageAt = (offset: number) => ({ limit: 100, offset, place: undefined, withTotals: true });

  it('is refused when its placements would read more than 10,000 rows for it', () => {
    expect(partOf(pageAt(4_899), 2)).toMatchObject({ offset: 0, limit: 5_000 });
    expect(() => partOf(pageAt(4_900), 2)).toThrow('walk by cursor instead');
    expect(() => partOf(pageAt(2_400), 4)).toThrow(new Refusal('page-too-deep'));
  });

  it('is read when it is the first, from any number of placements', () => {
    expect(partOf(pageAt(0), 1_000)).toMatchObject({ offset: 0, limit: 101 });
  });
});
