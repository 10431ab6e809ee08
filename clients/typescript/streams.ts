import { type Connection, type FollowOptions, followStream, queryText } from './follow.js';
import type { components } from './generated.js';

/** After a look at `type`, what an event of this type always has is there. Types that are not known may come: skip these. */
export type LedgerEvent = components['schemas']['Event'];
/** `EventOf<'bet.settled'>` */
export type EventOf<Type extends LedgerEvent['type']> = Extract<LedgerEvent, { readonly type: Type }>;

export interface EventFilters {
  /** Where to begin: at the beginning of the log (unless given), now, or behind a cursor such as `ledgerAsOf` tells one. */
  readonly from?: 'start' | 'now' | (string & {});
  /** The same as a cursor in `from`. */
  readonly after?: string;
  /** `offer.*` stands for all types that begin so. */
  readonly types?: readonly string[];
  readonly wager_reference?: string;
  readonly user_id?: number;
  readonly user_reference?: string;
  readonly bet_id?: number;
  /** For admins. */
  readonly account_id?: number;
}

export interface BookFilters {
  /** The wager. */
  readonly reference: string;
  /** How many levels; 10 unless given. */
  readonly depth?: number;
  /** Only the offers that this user may accept. */
  readonly user_id?: number;
  /** Changes within so many milliseconds are merged. */
  readonly conflate_ms?: number;
  /** For admins. */
  readonly account_id?: number;
}

/** The offers of a book at the same odds. */
export interface BookLevel {
  readonly odds: number;
  readonly amount: number;
  readonly offers: number;
  readonly oldest: string;
}

/** A book, as it is at a position of the event log. */
export interface FollowedBook {
  readonly wager: string;
  readonly outcome: string;
  /** A cursor: the book shows exactly the events up to it. */
  readonly as_of: string;
  readonly at: string;
  /** The lowest odds first. */
  readonly levels: readonly BookLevel[];
}

export interface Streams {
  readonly events: {
    /**
     * All events as they come, each once. It connects again by itself, and ends with a LedgerError when that is refused: 401
     * for a credential that has ended, 409 for a history that was undone.
     */
    follow(filters?: EventFilters, options?: FollowOptions): AsyncGenerator<LedgerEvent, void, void>;
  };
  readonly books: {
    /** The book, and again with each change. */
    follow(filters: BookFilters, options?: FollowOptions): AsyncGenerator<FollowedBook, void, void>;
  };
}

/** A change has a level with the amount 0 for one that is not shown any more. */
interface BookFrame extends Partial<Pick<FollowedBook, 'wager' | 'outcome'>> {
  readonly as_of: string;
  readonly at: string;
  readonly levels: readonly (BookLevel | { readonly odds: number; readonly amount: 0 })[];
}

async function* followEvents(connection: Connection, filters: EventFilters = {}, options?: FollowOptions) {
  const { types, from, after, ...others } = filters;
  const query = { ...others, after: from === 'start' ? undefined : (from ?? after), types: types?.join(',') };
  const path = `/events/stream${queryText(query)}`;
  for await (const { data } of followStream(connection, { path, resumes: true }, options)) {
    yield JSON.parse(data) as LedgerEvent;
  }
}

async function* followBook(connection: Connection, { reference, ...query }: BookFilters, options?: FollowOptions) {
  const path = `/wagers/${encodeURIComponent(reference)}/book/stream${queryText({ ...query })}`;
  const levels = new Map<number, BookLevel>();
  let [wager, outcome] = [reference, 'undecided'];
  for await (const { event, data } of followStream(connection, { path, resumes: false }, options)) {
    const frame = JSON.parse(data) as BookFrame;
    if (event === 'image') levels.clear();
    for (const level of frame.levels) {
      if (level.amount === 0) levels.delete(level.odds);
      else levels.set(level.odds, level as BookLevel);
    }
    wager = frame.wager ?? wager;
    outcome = frame.outcome ?? outcome;
    const shown = [...levels.values()].sort((one, other) => one.odds - other.odds);
    yield { wager, outcome, as_of: frame.as_of, at: frame.at, levels: shown };
  }
}

export const createStreams = (connection: Connection): Streams => ({
  events: { follow: (filters, options) => followEvents(connection, filters, options) },
  books: { follow: (filters, options) => followBook(connection, filters, options) },
});
