import type { EventPosition } from '#events/event-position.js';
import type { EventStream } from '#http/event-stream.js';
import type { EventFilter, EventPage, LogEvent } from '#reads/event.js';
import { matchesFilter } from '#reads/event-log.js';
import { type AccountFeed, endOfFailure, type Follower } from './account-feed.js';
import { EventBatch, eventPositionOf, type LogPosition } from './event-batch.js';
import { OpenStream, type StreamCaller } from './open-stream.js';

/** Frames are written in pieces of about this size: so a reader that takes little by little is not taken for stalled. */
const PIECE_CHARACTERS = 16_384;
const FIRST_RETRY_MS = 1_000;
const MICROSECONDS_IN_MS = 1_000;

export interface EventReaderOptions {
  readonly feed: AccountFeed;
  readonly filter: EventFilter;
  readonly from: LogPosition;
  /** What the request has read already, after `from`. */
  readonly first: EventPage | undefined;
  /** The next events that pass the filter. */
  read(after: EventPosition): Promise<EventPage>;
  onError(error: unknown): void;
  /** An event of this age, in milliseconds, was written as soon as it could be. */
  onLive(ageMs: number): void;
}

/** A stream of events. It pulls: while its reader takes nothing, it reads nothing. */
export class EventReader extends OpenStream implements Follower {
  readonly everyMs = 0;
  readonly isOfNewest = false;
  #position: LogPosition;
  #batch: EventBatch | undefined;
  #index = 0;
  #isLive = false;
  #isReading = false;

  constructor(
    by: StreamCaller,
    open: () => EventStream,
    private readonly options: EventReaderOptions,
  ) {
    super(by, open);
    this.#position = options.from;
    if (options.first !== undefined) this.#batch = new EventBatch(by.accountId, options.from, options.first);
    options.feed.join(this);
    this.bookmark(FIRST_RETRY_MS);
    this.resume();
  }

  protected get seq(): bigint {
    return this.#position.seq;
  }

  protected cursor(): string {
    return this.#position.cursor;
  }

  protected lateMs(): number {
    return this.options.feed.lateMs();
  }

  protected leave(): void {
    this.options.feed.leave(this);
  }

  protected release(): void {
    this.#batch = undefined;
  }

  /** From the feed. A stream that is not ready for it reads the same events by itself later. */
  take(batch: EventBatch): void {
    if (!this.isReady || this.#isReading || this.#batch !== undefined) return;
    if (this.#position.seq >= batch.after.seq) this.#begin(batch, true);
    this.resume();
  }

  resume(): void {
    if (!this.isReady) return;
    if (this.#batch !== undefined) this.#writeBatch(this.#batch);
    const isBehind = this.#position.seq < this.options.feed.position.seq;
    if (isBehind && this.isReady && this.#batch === undefined && !this.#isReading) void this.#readOn();
  }

  #begin(batch: EventBatch, isLive: boolean): void {
    this.#batch = batch;
    this.#index = 0;
    this.#isLive = isLive;
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    const after = this.#position;
    const page = await this.options.read(eventPositionOf(after)).catch((error) => this.#fail(error));
    this.#isReading = false;
    // After a failure, and when a standby had nothing, the next beat tries again.
    if (page === undefined || page.next === undefined || this.#batch !== undefined) return;
    this.#begin(new EventBatch(this.by.accountId, after, page), false);
    this.resume();
  }

  #fail(error: unknown): undefined {
    const end = endOfFailure(error);
    if (end === 'failure') this.options.onError(error);
    if (end !== undefined) this.end(end);
  }

  #writeBatch(batch: EventBatch): void {
    while (this.#index < batch.events.length && this.isReady) this.#writePiece(batch);
    if (this.#index < batch.events.length) return;
    if (batch.next.seq > this.#position.seq) this.#position = batch.next;
    this.#batch = undefined;
  }

  #writePiece(batch: EventBatch): void {
    let [text, count] = ['', 0];
    for (; this.#index < batch.events.length && text.length < PIECE_CHARACTERS; this.#index += 1) {
      const event = batch.events[this.#index] as LogEvent;
      if (event.seq <= this.#position.seq || !matchesFilter(event, this.options.filter)) continue;
      const ageMs = Date.now() - Number(event.at) / MICROSECONDS_IN_MS;
      if (count === 0) this.noteLate(ageMs);
      if (this.#isLive) this.options.onLive(ageMs);
      const { frame, position } = batch.shown(this.#index);
      text += frame;
      count += 1;
      this.#position = position;
    }
    if (count > 0) this.write(text, count, this.#position.seq);
  }
}
