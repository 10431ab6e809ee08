import { type EventStream, frameText } from '#http/event-stream.js';
import type { EventFilter, EventPage, LogEvent } from '#reads/event.js';
import { matchesFilter } from '#reads/event-log.js';
import { type AccountFeed, type Follower, NEWEST } from './account-feed.js';
import { EventBatch, type LogPosition } from './event-batch.js';
import { OpenStream, type StreamCaller } from './open-stream.js';

const FIRST_RETRY_MS = 1_000;

export interface NewestReaderOptions {
  readonly feed: AccountFeed;
  readonly filter: EventFilter;
  readonly from: LogPosition;
  /** What the request has read already, after `from`. */
  readonly first: EventPage | undefined;
  /** Events of this time come together. */
  readonly conflateMs: number;
}

interface Waiting {
  readonly batch: EventBatch;
  readonly index: number;
}

/**
 * A stream for a reader that shows what happens: it writes at most once in a while, and of more events than a page shows
 * only the newest. So its cost does not grow with the account's traffic.
 */
export class NewestReader extends OpenStream implements Follower {
  /** Up to where the reader has been told. */
  #told: LogPosition;
  /** Up to where events were taken; those that wait are before it. */
  #taken: LogPosition;
  #waiting: Waiting[] = [];
  #skippedCount = 0;
  /** Undefined: nothing is known of what was left out. */
  #skippedTypes: Set<string> | undefined = new Set();
  #wroteAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    by: StreamCaller,
    open: () => EventStream,
    private readonly options: NewestReaderOptions,
  ) {
    super(by, open);
    const { feed, from, first } = options;
    this.#told = from;
    this.#taken = from;
    feed.join(this);
    this.bookmark(FIRST_RETRY_MS);
    if (first !== undefined) this.#collect(new EventBatch(by.accountId, from, first));
    this.resume();
  }

  /** What a filter leaves out by more than the type is known of whole events only, so it needs each. */
  get isOfNewest(): boolean {
    const { filter } = this.options;
    return filter.wagerReference === undefined && filter.userId === undefined;
  }

  get everyMs(): number {
    return this.options.conflateMs;
  }

  protected get seq(): bigint {
    return this.#told.seq;
  }

  protected cursor(): string {
    return this.#told.cursor;
  }

  protected lateMs(): number {
    return this.options.feed.lateMs();
  }

  protected leave(): void {
    clearTimeout(this.#timer);
    this.options.feed.leave(this);
  }

  protected release(): void {
    // No more waits than one write has.
  }

  /** While it is not ready nothing is taken: what is missing then counts as left out. */
  take(batch: EventBatch): void {
    if (!this.isReady) return;
    if (batch.after.seq > this.#taken.seq) this.#skipTo(batch.after);
    this.#collect(batch);
    this.#writeWhenDue();
  }

  resume(): void {
    if (!this.isReady) return;
    const { position } = this.options.feed;
    if (position.seq > this.#taken.seq) this.#skipTo(position);
    this.#writeWhenDue();
  }

  #skipTo(position: LogPosition): void {
    this.#skippedCount += Number(position.seq - this.#taken.seq) + this.#waiting.length;
    this.#skippedTypes = undefined;
    this.#waiting = [];
    this.#taken = position;
  }

  #collect(batch: EventBatch): void {
    const { filter } = this.options;
    for (const [type, count] of batch.skipped) {
      if (filter.types?.has(type) ?? true) this.#skip(type, count);
    }
    for (const [index, event] of batch.events.entries()) {
      if (event.seq > this.#taken.seq && matchesFilter(event, filter)) this.#waiting.push({ batch, index });
    }
    for (const { batch: of, index } of this.#waiting.splice(0, Math.max(0, this.#waiting.length - NEWEST))) {
      this.#skip((of.events[index] as LogEvent).type, 1);
    }
    if (batch.next.seq > this.#taken.seq) this.#taken = batch.next;
    if (this.#isEmpty) this.#told = this.#taken;
  }

  #skip(type: string, count: number): void {
    this.#skippedCount += count;
    this.#skippedTypes?.add(type);
  }

  get #isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#skippedCount === 0;
  }

  #writeWhenDue(): void {
    if (this.#isEmpty || this.#timer !== undefined) return;
    const waitMs = this.#wroteAt + this.options.conflateMs - performance.now();
    if (waitMs <= 0) {
      this.#write();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isEmpty && this.isReady) this.#write();
    }, waitMs).unref();
  }

  #write(): void {
    this.#wroteAt = performance.now();
    let text = '';
    if (this.#skippedCount > 0) {
      const types = this.#skippedTypes === undefined ? null : [...this.#skippedTypes].sort();
      text = frameText({ event: 'skipped', data: { count: this.#skippedCount, types } });
    }
    for (const { batch, index } of this.#waiting) text += batch.shown(index).frame;
    const frames = this.#waiting.length + (this.#skippedCount > 0 ? 1 : 0);
    const last = this.#waiting.at(-1);
    this.#waiting = [];
    this.#skippedCount = 0;
    this.#skippedTypes = new Set();
    this.#told = this.#taken;
    // Only events have a cursor: a bookmark follows when the last one is not at the end of what was taken.
    this.write(text, frames, last?.batch.shown(last.index).position.seq ?? -1n);
  }
}
