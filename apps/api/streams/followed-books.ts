import { createTurns } from '#http/turns.js';
import { Refusal } from '#platform/errors/refusal.js';
import { Holders, type QuotaHolder, type QuotaUse } from '#platform/quotas/quota-use.js';
import { quotas } from '#platform/quotas/quotas.js';
import { type BookFeed, MAX_SIZE } from './book-feed.js';

const QUOTA = 'followed-offers';
/** What no stream follows any more is closed after this time. */
export const IDLE_MS = 30_000;
/** A turn waits for a few others of its account at most. */
const START_WAIT_MS = 10_000;

interface Followed {
  readonly key: string;
  readonly holder: QuotaHolder;
  readonly book: BookFeed;
}

/** The books that streams of this process follow. Their sizes change with the events, so they are summed when it matters. */
export class FollowedBooks {
  readonly #starting = new Map<string, Promise<BookFeed>>();
  readonly #started = new Map<string, Followed>();
  /** Books of one account start one after the other: each sees the size of those before. */
  readonly #inTurn = createTurns({ atOnce: 1, waiting: Number.MAX_SAFE_INTEGER, waitMs: START_WAIT_MS });

  constructor(private readonly use: QuotaUse) {}

  /** `start` reads a book of at most so many offers. */
  find(key: string, holder: QuotaHolder, start: (maxSize: number) => Promise<BookFeed>): Promise<BookFeed> {
    const known = this.#starting.get(key);
    if (known !== undefined && this.#started.get(key)?.book.hasEnded !== true) return known;
    const starting = this.#inTurn(String(holder.accountId), 1, () => this.#startWithin(holder, start));
    this.#starting.set(key, starting);
    starting.then(
      (book) => this.#started.set(key, { key, holder, book }),
      () => this.#starting.get(key) === starting && this.#starting.delete(key),
    );
    return starting;
  }

  async #startWithin(holder: QuotaHolder, start: (maxSize: number) => Promise<BookFeed>): Promise<BookFeed> {
    // Books that nobody follows any more make room first.
    if (this.#held().roomFor(holder) < MAX_SIZE) this.#close(0);
    const room = this.#held().roomFor(holder);
    if (room <= 0) throw this.use.refuse(QUOTA, holder);
    try {
      return await start(Math.min(room, MAX_SIZE));
    } catch (error) {
      const isOverRoom = room < MAX_SIZE && error instanceof Refusal && error.code === 'book-too-large';
      throw isOverRoom ? this.use.refuse(QUOTA, holder) : error;
    }
  }

  #held(): Holders {
    const held = new Holders(quotas[QUOTA]);
    for (const { holder, book } of this.#started.values()) held.add(holder, book.size);
    return held;
  }

  sweep(now: number): void {
    this.#endLargest();
    this.#close(IDLE_MS, now);
  }

  #close(idleMs: number, now = performance.now()): void {
    for (const { key, book } of this.#started.values()) {
      if (!book.hasEnded && !book.isIdle(now, idleMs)) continue;
      book.close();
      this.#started.delete(key);
      this.#starting.delete(key);
    }
  }

  /** Books grow while they are followed. Where their sum does not fit any more, the largest end. */
  #endLargest(): void {
    const held = this.#held();
    const largestFirst = [...this.#started.values()].sort((one, other) => other.book.size - one.book.size);
    for (const { holder, book } of largestFirst) {
      if (held.roomFor(holder) >= 0) continue;
      held.add(holder, -book.size);
      this.use.refuse(QUOTA, holder);
      book.end('size');
    }
  }
}
