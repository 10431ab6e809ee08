import { CURSOR_MALFORMED, CursorFault, cursorValues, encodeCursor, type ParsedCursor } from '#reads/cursor.js';
import type { TotalRow } from '#reads/list-reader.js';
import type { List, PageBound, PageRequest } from '#reads/page.js';

/** The part of a list's query that `pageFields` reads. Everything else in it filters or sorts. */
interface PageQuery {
  readonly page?: number | undefined;
  readonly per_page: number;
  readonly cursor?: ParsedCursor | 'first' | undefined;
  readonly include_totals?: boolean | undefined;
}

/** The frame as an answer shows it; JSON leaves out what is undefined. `from` and `to` count from 1, and are null on an empty page. */
interface ListFrame {
  readonly per_page: number;
  readonly page?: number;
  readonly total: number | undefined;
  readonly from?: number | null;
  readonly to?: number | null;
  readonly last_page: number | undefined;
  readonly next?: string | null;
  readonly previous?: string | null;
}

export interface ListPage {
  /** What the list is read with. */
  readonly page: PageRequest;
  frameOf(list: List<unknown, TotalRow>): ListFrame;
}

function placeIn(cursor: ParsedCursor, scope: object): PageBound {
  const [side, key, id, ...more] = cursorValues(cursor, { ...scope });
  const isSide = side === 'after' || side === 'before';
  if (!isSide || key === undefined || typeof id !== 'bigint' || more.length > 0)
    throw new CursorFault(CURSOR_MALFORMED);
  return { side, key, id };
}

/** The page that a query asks for. `scope` is what decides beside the query which rows the list has: its name and accounts. */
export function listPage(
  query: PageQuery,
  scope: { readonly list: string } & Readonly<Record<string, unknown>>,
): ListPage {
  const { page: number, per_page, cursor, include_totals = false, ...filters } = query;
  const whole = { ...filters, ...scope };
  const place = cursor === undefined || cursor === 'first' ? undefined : placeIn(cursor, whole);
  const textOf = (to: PageBound | undefined) =>
    to === undefined ? null : encodeCursor(whole, [to.side, to.key, to.id]);
  const page = {
    limit: per_page,
    offset: cursor === undefined ? ((number ?? 1) - 1) * per_page : 0,
    place,
    withTotals: cursor === undefined || include_totals,
    mayEndEarly: cursor !== undefined,
  };
  return {
    page,
    frameOf({ items, totals, next, previous }) {
      const cursors = { next: textOf(next), previous: textOf(previous) };
      const total = totals && Number(totals.total);
      const last_page = total === undefined ? undefined : Math.max(1, Math.ceil(total / per_page));
      if (cursor !== undefined) return { per_page, total, last_page, ...cursors };
      const isEmpty = items.length === 0;
      return {
        per_page,
        page: number ?? 1,
        total,
        from: isEmpty ? null : page.offset + 1,
        to: isEmpty ? null : page.offset + items.length,
        last_page,
        // A list without page and cursor begins a walk, when there is more of it.
        ...(number === undefined && next !== undefined && { next: cursors.next }),
      };
    },
  };
}
