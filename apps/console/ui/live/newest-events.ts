import { api, atPosition } from '../api/api.js';
import { readHeadNumber } from './log-head.js';
import type { LedgerEvent } from './shared-events.js';

// The API reads its log forwards. To show the newest events first, a page reads from a place before the end of the log.

/** With filters, so many events are looked through for those that match. */
const LOOKED_THROUGH = 10_000;
const LARGEST_PAGE = 1_000;
export interface EventFilter {
  /** A type, a family such as `offer.*`, or several with commas between them. */
  readonly types?: string;
  readonly wager_reference?: string;
  readonly user_id?: number;
}

export interface NewestEvents {
  /** The newest first. */
  readonly events: readonly LedgerEvent[];
  /** The numbers that were looked through. */
  readonly first: number;
  readonly last: number;
  /** The last number of the log. */
  readonly head: number;
}

export interface NewestOptions extends EventFilter {
  readonly count: number;
  /** Up to this number; the newest of all unless given. */
  readonly upTo?: number | undefined;
  readonly signal: AbortSignal;
}

async function cursorOf(seq: number, signal: AbortSignal): Promise<string> {
  const { data } = await api.get('/events/{seq}', { params: { path: { seq } }, signal });
  return data.cursor;
}

/** The newest events that match, of all or up to a number. */
export async function readNewestEvents({ count, upTo, signal, ...filter }: NewestOptions): Promise<NewestEvents> {
  const head = await readHeadNumber();
  const last = Math.min(upTo ?? head, head);
  const isFiltered = Object.keys(filter).length > 0;
  const before = Math.max(0, last - (isFiltered ? LOOKED_THROUGH : count));
  let after = before === 0 ? undefined : await cursorOf(before, signal);
  let events: LedgerEvent[] = [];
  let position: string | undefined;
  for (;;) {
    const limit = isFiltered ? LARGEST_PAGE : Math.min(count, LARGEST_PAGE);
    const query = { ...filter, limit, ...(after !== undefined && { after }) };
    const page = await api.get('/events', { params: { query }, signal });
    events = [...events, ...page.data.filter(({ seq }) => seq <= last)].slice(-count);
    after = page.next;
    position = page.has_more ? undefined : page.next;
    if (!page.has_more || page.next_seq >= last) break;
  }
  const [oldest] = events;
  // When there were more than wanted, the older ones are behind the next request.
  const first = isFiltered && events.length === count && oldest !== undefined ? oldest.seq : before + 1;
  return atPosition({ events: events.reverse(), first, last, head }, position);
}
