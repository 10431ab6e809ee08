import type { Reads } from '../api/api.js';
import { NOT_FOUND, orNothing } from '../api/errors.js';
import type { LedgerEvent } from './shared-events.js';

export interface EventFilter {
  /** A type, a family such as `offer.*`, or several with commas between them. */
  readonly types?: string;
  readonly wager_reference?: string;
  readonly user_id?: number;
  readonly bet_id?: number;
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
}

/** The cursor of an event; undefined when it has not happened. */
const cursorOf = async ({ get }: Reads, seq: number): Promise<string | undefined> =>
  (await orNothing(get('/events/{seq}', { params: { path: { seq } } }), NOT_FOUND))?.data.cursor;

/** The newest events that match, of all or up to a number. With a filter by type, the API looks through 10,000. */
export async function readNewestEvents(reads: Reads, { count, upTo, ...filter }: NewestOptions): Promise<NewestEvents> {
  const before = upTo === undefined ? undefined : await cursorOf(reads, upTo + 1);
  const query = {
    sort_direction: 'desc' as const,
    per_page: count,
    ...filter,
    ...(before !== undefined && { before }),
  };
  const { data, next_seq, head, head_seq } = await reads.get('/events', { params: { query } });
  const last = Math.min(upTo ?? head_seq, head_seq);
  reads.setPosition(head);
  return { events: data, first: Math.max(1, next_seq), last, head: head_seq };
}
