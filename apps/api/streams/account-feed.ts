import type { EventPosition } from '#events/event-position.js';
import type { EventTail, TailListener } from '#events/event-signals.js';
import { isDatabaseUnavailable } from '#platform/database/errors.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { EventPage, NewestEventPage } from '#reads/event.js';
import { EventBatch, eventPositionOf, type LogPosition } from './event-batch.js';
import type { EndReason } from './open-stream.js';

/** A busy log is read so often at most: commits of this time share a read. */
const READ_EVERY_MS = 10;
/** What begins to follow the log finds it no older than this. */
const SELDOM_MS = 1_000;
/** While the log cannot be read. */
const TRY_AGAIN_MS = 250;
const BATCH = 200;
/** Of a read for streams that want the newest events alone. */
export const NEWEST = 100;

export interface Follower {
  /** How often it wants to hear of the log; 0: of each event as soon as it can be. */
  readonly everyMs: number;
  /** Whether the newest events are enough for it. */
  readonly isOfNewest: boolean;
  take(batch: EventBatch): void;
  end(reason: EndReason): void;
}

export interface FeedOptions {
  readonly tail: EventTail;
  /** The next events after a position, from the primary, when it is the feed's turn. */
  read(accountId: bigint, after: EventPosition, limit: number): Promise<EventPage>;
  /** The newest events after a position, and how many were left out before them. */
  readNewest(accountId: bigint, after: EventPosition, limit: number): Promise<NewestEventPage>;
  onError(error: unknown): void;
}

/** Why a log could not be read; undefined: another try may succeed. */
export function endOfFailure(error: unknown): EndReason | undefined {
  if (error instanceof Refusal) return error.code === 'history-restored' ? 'history' : undefined;
  return isDatabaseUnavailable(error) ? undefined : 'failure';
}

/**
 * Follows the log of an account for all of its streams in this process: each event is read once. A stream that has fallen
 * behind reads the log by itself until it is here again.
 */
export class AccountFeed implements TailListener {
  readonly #followers = new Set<Follower>();
  readonly #stop: () => void;
  #position: LogPosition;
  #isReading = false;
  #hasGrown = false;
  #readAt = -Infinity;
  #failingSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #emptySince: number | undefined = performance.now();
  #isBroken = false;

  constructor(
    readonly accountId: bigint,
    head: LogPosition,
    private readonly options: FeedOptions,
  ) {
    this.#position = head;
    this.#stop = options.tail.listen(accountId, this);
    // The log may have grown before the tail was listened to.
    this.wake();
  }

  get position(): LogPosition {
    return this.#position;
  }

  get seq(): bigint {
    return this.#position.seq;
  }

  /** Its position is in no log any more, or the log cannot be read: it does not go on. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** For how long the log could not be looked at. */
  lateMs(): number {
    const failingMs = this.#failingSince === undefined ? 0 : performance.now() - this.#failingSince;
    return Math.max(failingMs, this.options.tail.blindMs());
  }

  join(follower: Follower): void {
    this.#followers.add(follower);
    this.#emptySince = undefined;
    // It may want to hear of the log sooner than the others.
    if (this.#timer === undefined || this.#failingSince !== undefined) return;
    clearTimeout(this.#timer);
    this.#readIn(this.#pauseMs());
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size === 0) this.#emptySince ??= performance.now();
  }

  isIdle(now: number, forMs: number): boolean {
    return this.#emptySince !== undefined && now - this.#emptySince > forMs;
  }

  close(): void {
    this.#stop();
    clearTimeout(this.#timer);
  }

  wake(): void {
    this.#hasGrown = true;
    if (this.#isReading || this.#timer !== undefined || this.#isBroken) return;
    const pauseMs = this.#everyMs() > 0 ? this.#pauseMs() : 0;
    if (pauseMs > 0) this.#readIn(pauseMs);
    else void this.#readOn();
  }

  /** As often as the most impatient follower wants. */
  #everyMs(): number {
    return this.#followers.size === 0 ? 0 : Math.min(SELDOM_MS, ...[...this.#followers].map(({ everyMs }) => everyMs));
  }

  #isOfNewest(): boolean {
    return this.#followers.size > 0 && [...this.#followers].every(({ isOfNewest }) => isOfNewest);
  }

  #pauseMs(): number {
    return Math.max(0, this.#readAt + Math.max(READ_EVERY_MS, this.#everyMs()) - performance.now());
  }

  /** When no follower wants each event, only the newest are read: the cost does not grow with the log. */
  async #readBatch(after: LogPosition): Promise<EventBatch> {
    const { accountId, options } = this;
    const position = eventPositionOf(after);
    if (this.#isOfNewest()) {
      const newest = await options.readNewest(accountId, position, NEWEST);
      // A follower that wants each event may have joined meanwhile.
      if (newest.skipped.size === 0 || this.#isOfNewest()) return new EventBatch(accountId, after, newest);
    }
    return new EventBatch(accountId, after, await options.read(accountId, position, BATCH));
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    this.#hasGrown = false;
    this.#readAt = performance.now();
    let isFull = false;
    try {
      const after = this.#position;
      const batch = await this.#readBatch(after);
      this.#failingSince = undefined;
      this.#position = batch.next;
      isFull = batch.events.length === BATCH;
      if (batch.next.seq < batch.head.seq) this.#hasGrown = true;
      if (batch.next.seq > after.seq) for (const follower of [...this.#followers]) follower.take(batch);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isReading = false;
    }
    if (this.#isBroken) return this.close();
    if (this.#failingSince !== undefined) this.#readIn(TRY_AGAIN_MS);
    else if (this.#hasGrown) this.#readIn(isFull ? 0 : this.#pauseMs());
  }

  #readIn(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#readOn();
    }, ms).unref();
  }

  #fail(error: unknown): void {
    this.#failingSince ??= performance.now();
    const end = endOfFailure(error);
    if (end === undefined) return;
    this.#isBroken = true;
    if (end === 'failure') this.options.onError(error);
    for (const follower of [...this.#followers]) follower.end(end);
  }
}
