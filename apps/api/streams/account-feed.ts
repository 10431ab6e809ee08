import type { EventPosition } from '#events/event-position.js';
import type { EventTail, TailListener } from '#events/event-tail.js';
import { isDatabaseUnavailable } from '#platform/database/errors.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { EventPage } from '#reads/event.js';
import { EventBatch, type Place, positionAt } from './event-batch.js';
import type { EndReason } from './open-stream.js';

/** A busy log is read so often at most: commits of this time share a read. */
const READ_EVERY_MS = 10;
/** While the log cannot be read. */
const TRY_AGAIN_MS = 250;
const BATCH = 200;

export interface Follower {
  take(batch: EventBatch): void;
  end(reason: EndReason): void;
}

export interface FeedOptions {
  readonly tail: EventTail;
  /** The next events after a position, from the primary, when it is the feed's turn. */
  read(accountId: bigint, after: EventPosition, limit: number): Promise<EventPage>;
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
  #position: Place;
  #isReading = false;
  #hasGrown = false;
  #failingSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #emptySince: number | undefined = performance.now();
  #isBroken = false;

  constructor(
    readonly accountId: bigint,
    head: Place,
    private readonly options: FeedOptions,
  ) {
    this.#position = head;
    this.#stop = options.tail.listen(accountId, this);
    // The log may have grown before the tail was listened to.
    this.wake();
  }

  get position(): Place {
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
    if (!this.#isReading && this.#timer === undefined && !this.#isBroken) void this.#readOn();
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    this.#hasGrown = false;
    const readAt = performance.now();
    try {
      const { accountId } = this;
      const after = this.#position;
      const page = await this.options.read(accountId, positionAt(after), BATCH);
      this.#failingSince = undefined;
      const batch = new EventBatch(accountId, after, page);
      this.#position = batch.next;
      if (batch.next.seq < page.head.seq) this.#hasGrown = true;
      if (batch.next.seq > after.seq) for (const follower of [...this.#followers]) follower.take(batch);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isReading = false;
    }
    if (this.#isBroken) return this.close();
    if (this.#failingSince !== undefined) this.#readIn(TRY_AGAIN_MS);
    else if (this.#hasGrown) this.#readIn(READ_EVERY_MS - (performance.now() - readAt));
  }

  #readIn(ms: number): void {
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        void this.#readOn();
      },
      Math.max(0, ms),
    ).unref();
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
