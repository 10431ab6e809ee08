import type { AccessChanges } from '#accounts/access/access-changes.js';
import type { Caller } from '#accounts/access/authenticator.js';
import type { EventPosition } from '#events/event-position.js';
import type { EventTail } from '#events/event-signals.js';
import { type EventStream, StreamAnswer } from '#http/event-stream.js';
import { createTurns } from '#http/turns.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import type { QuotaHolder, QuotaUse } from '#platform/quotas/quota-use.js';
import type { EventFilter, EventPage } from '#reads/event.js';
import { readHead, readNewEvents, readNewestEvents } from '#reads/event-log.js';
import { readOpenOffers } from '#reads/open-offers.js';
import { AccountFeed } from './account-feed.js';
import { BookFeed } from './book-feed.js';
import { BookReader } from './book-reader.js';
import { type LogPosition, logPositionOf } from './event-batch.js';
import { EventReader } from './event-reader.js';
import { FollowedBooks, IDLE_MS } from './followed-books.js';
import { NewestReader } from './newest-reader.js';
import type { StreamCaller } from './open-stream.js';
import { OpenStreams, type WantedStream } from './open-streams.js';
import { addStreamMetrics } from './stream-metrics.js';

/** So many feeds read at once: the other connections are for requests. */
const FEEDS_AT_ONCE = 3;
const FEED_WAIT_MS = 10_000;

export interface EventsRequest {
  readonly by: StreamCaller;
  readonly filter: EventFilter;
  readonly from: LogPosition;
  /** The end of the log, as it was read for the request. */
  readonly head: LogPosition;
  readonly first: EventPage | undefined;
  /** The reader wants the newest events, together; 0: each as it comes. */
  readonly conflateMs: number;
  /** The next events that pass the filter, for a stream that has fallen behind. */
  read(after: EventPosition): Promise<EventPage>;
}

export interface BookRequest {
  readonly by: StreamCaller;
  readonly wagerId: bigint;
  readonly depth: number;
  readonly userId: bigint | undefined;
  readonly conflateMs: number;
}

export interface StreamsOptions {
  readonly database: Database;
  readonly tail: EventTail;
  readonly changes: AccessChanges;
  readonly quotas: QuotaUse;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => Date;
  prove(authorization: string): Promise<Caller>;
}

/** The streams of this process, and what they follow. */
export class Streams {
  readonly #feeds = new Map<bigint, AccountFeed>();
  readonly #books: FollowedBooks;
  readonly #open: OpenStreams;
  readonly #onLive: (ageMs: number) => void;
  readonly #inTurn = createTurns({ atOnce: FEEDS_AT_ONCE, waiting: Number.MAX_SAFE_INTEGER, waitMs: FEED_WAIT_MS });

  constructor(private readonly options: StreamsOptions) {
    const { onEnd, onLive, countOpen } = addStreamMetrics(options.metrics);
    this.#onLive = onLive;
    this.#books = new FollowedBooks(options.quotas);
    this.#open = new OpenStreams({ ...options, onEnd, onBeat: (now) => this.#sweep(now) });
    countOpen((kind) => this.#open.countOf(kind));
  }

  assertRoom(wanted: WantedStream): void {
    this.#open.assertRoom(wanted);
  }

  ofEvents({ by, head, ...request }: EventsRequest): StreamAnswer {
    const { onError } = this;
    const readerOf = (open: () => EventStream) => {
      const feed = this.#feedOf(by.accountId, head);
      if (request.conflateMs > 0) return new NewestReader(by, open, { ...request, feed });
      return new EventReader(by, open, { ...request, feed, onError, onLive: this.#onLive });
    };
    return new StreamAnswer((open) => this.#open.add(by, () => readerOf(open)));
  }

  async ofBook({ by, wagerId, ...request }: BookRequest): Promise<StreamAnswer> {
    const { accountId } = by;
    const book = await this.#books.find(`${accountId} ${wagerId}`, holderOf(by), (maxSize) =>
      this.#startBook({ accountId, wagerId, maxSize }),
    );
    book.assertRoomFor(request.userId);
    return new StreamAnswer((open) => this.#open.add(by, () => new BookReader(by, open, { ...request, book })));
  }

  /** Ends all streams: their readers connect again elsewhere. */
  close(): void {
    this.#open.close();
    for (const feed of this.#feeds.values()) feed.close();
  }

  readonly onError = (error: unknown): void => this.options.logger.error({ err: error }, 'a stream has failed');

  #feedOf(accountId: bigint, head: LogPosition): AccountFeed {
    const known = this.#feeds.get(accountId);
    if (known !== undefined && !known.isBroken) return known;
    const { database, tail } = this.options;
    const { onError } = this;
    const made = new AccountFeed(accountId, head, {
      tail,
      onError,
      read: (id, after, limit) =>
        this.#inTurn('all', 1, () => readNewEvents(database, { accountId: id, after, limit, ...NO_FILTER })),
      readNewest: (id, after, limit) =>
        this.#inTurn('all', 1, () => readNewestEvents(database, { accountId: id, after, limit })),
    });
    this.#feeds.set(accountId, made);
    return made;
  }

  async #startBook(wanted: WantedBook): Promise<BookFeed> {
    const { accountId, wagerId } = wanted;
    const { database } = this.options;
    const feed = this.#feedOf(accountId, logPositionOf(accountId, await readHead(database, accountId)));
    // It hears of events from here on, and the read sees all that came before.
    const book = new BookFeed(wagerId, feed);
    try {
      await book.start(await readOpenOffers(database.of(wanted.accountId), wanted));
      return book;
    } catch (error) {
      book.close();
      throw error;
    }
  }

  #sweep(now: number): void {
    this.#books.sweep(now);
    for (const [accountId, feed] of this.#feeds) {
      if (!feed.isIdle(now, IDLE_MS)) continue;
      feed.close();
      this.#feeds.delete(accountId);
    }
  }
}

interface WantedBook {
  readonly accountId: bigint;
  readonly wagerId: bigint;
  readonly maxSize: number;
}

/** A book is charged to its account, also when an admin follows it. */
const holderOf = ({ accountId, caller: { account } }: StreamCaller): QuotaHolder =>
  account.accountId === accountId ? account : { accountId, registeredFrom: null };

const NO_FILTER: EventFilter = { types: undefined, wagerReference: undefined, userId: undefined, betId: undefined };
