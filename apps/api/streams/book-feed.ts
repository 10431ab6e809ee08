import { setImmediate as nextTurn } from 'node:timers/promises';
import { BEGINNING, type EventMark } from '#events/event-position.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { LogEvent } from '#reads/event.js';
import type { OpenOffers } from '#reads/open-offers.js';
import type { AccountFeed, Follower } from './account-feed.js';
import { BookState } from './book-state.js';
import type { EventBatch } from './event-batch.js';
import type { EndReason } from './open-stream.js';

/** Of a book that streams follow, as `sizeOf` counts its open offers. */
export const MAX_SIZE = 50_000;
/** Other requests have their turn after so many offers of a book. */
const OFFERS_OF_A_TURN = 1_000;

/** A copy: the event itself would hold the whole batch. */
const markOf = ({ seq, at, kind, ref }: EventMark): EventMark => ({ seq, at, kind, ref });

export interface BookFollower {
  /** It takes the changes of this time as one. */
  readonly conflateMs: number;
  readonly userId: bigint | undefined;
  /** An operation has changed the book. */
  noteChange(): void;
  /** The book goes as far as its position. */
  notePosition(): void;
  end(reason: EndReason): void;
}

/** Follows the book of one wager for all of its streams in this process. */
export class BookFeed implements Follower {
  readonly #readers = new Set<BookFollower>();
  /** What came while the book was read. */
  #early: EventBatch[] | undefined = [];
  /** Of an operation whose other events come with the next batch. */
  #begun: LogEvent[] = [];
  #state: BookState | undefined;
  #position: EventMark = BEGINNING;
  #end: EndReason | undefined;
  #emptySince: number | undefined = performance.now();
  reference = '';
  /** A book is of all events. */
  readonly isOfNewest = false;

  constructor(
    readonly wagerId: bigint,
    readonly feed: AccountFeed,
  ) {
    feed.join(this);
  }

  /** The book as it was read after this feed was made: events that came meanwhile follow it. */
  async start({ reference, asOf, outcome, offers }: OpenOffers): Promise<void> {
    this.reference = reference;
    this.#position = asOf;
    this.#state = new BookState(this.wagerId, { outcome, offers: offers.slice(0, OFFERS_OF_A_TURN) });
    for (let count = OFFERS_OF_A_TURN; count < offers.length; count += OFFERS_OF_A_TURN) {
      await nextTurn();
      this.#state.take(offers.slice(count, count + OFFERS_OF_A_TURN));
    }
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const batch of early) this.take(batch);
  }

  get state(): BookState {
    if (this.#state === undefined) throw new Error('the book is not read yet');
    return this.#state;
  }

  /** The last operation whose events the book has. */
  get position(): EventMark {
    return this.#position;
  }

  /** As often as its most impatient reader wants. */
  get everyMs(): number {
    return this.#readers.size === 0 ? 0 : Math.min(...[...this.#readers].map(({ conflateMs }) => conflateMs));
  }

  get size(): number {
    return this.#state?.size ?? 0;
  }

  /** Why it does not go on. */
  get hasEnded(): boolean {
    return this.#end !== undefined || this.feed.isBroken;
  }

  assertRoomFor(userId: bigint | undefined): void {
    if (!this.state.mayShowTo(userId, MAX_SIZE)) throw new Refusal('book-too-large');
  }

  join(reader: BookFollower): void {
    this.#readers.add(reader);
    // It may be more impatient than the others.
    this.feed.join(this);
    this.#emptySince = undefined;
  }

  leave(reader: BookFollower): void {
    this.#readers.delete(reader);
    if (![...this.#readers].some(({ userId }) => userId === reader.userId)) this.#state?.forget(reader.userId);
    if (this.#readers.size === 0) this.#emptySince ??= performance.now();
  }

  isIdle(now: number, forMs: number): boolean {
    return this.#emptySince !== undefined && now - this.#emptySince > forMs;
  }

  close(): void {
    this.feed.leave(this);
  }

  /** A change is an operation: the states between its events were never to be seen. */
  take(batch: EventBatch): void {
    if (this.#early !== undefined) {
      this.#early.push(batch);
      return;
    }
    for (const event of batch.events) {
      if (event.seq <= this.#position.seq) continue;
      this.#begun.push(event);
      if (event.seq !== event.lastSeq) continue;
      const isTouched = this.#apply(this.#begun.splice(0));
      this.#position = markOf(event);
      if (isTouched) for (const reader of [...this.#readers]) reader.noteChange();
    }
    for (const reader of this.#readers) reader.notePosition();
    if (this.size > MAX_SIZE) this.end('size');
  }

  #apply(operation: readonly LogEvent[]): boolean {
    let isTouched = false;
    for (const event of operation) if (this.state.apply(event)) isTouched = true;
    return isTouched;
  }

  end(reason: EndReason): void {
    this.#end = reason;
    for (const reader of [...this.#readers]) reader.end(reason);
  }
}
