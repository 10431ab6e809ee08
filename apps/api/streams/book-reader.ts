import { numberFromMicros, numberFromSum, type OddsMicros } from '#core/money.js';
import { type EventMark, encodePosition } from '#events/event-position.js';
import { type EventStream, frameText } from '#http/event-stream.js';
import { momentText } from '#reads/shown-event.js';
import type { BookFeed, BookFollower } from './book-feed.js';
import type { StreamedLevel } from './book-levels.js';
import { OpenStream, type StreamCaller } from './open-stream.js';

const FIRST_RETRY_MS = 1_000;

export interface BookReaderOptions {
  readonly book: BookFeed;
  readonly depth: number;
  readonly userId: bigint | undefined;
  /** Changes of this time are merged; 0: each is a frame of its own. */
  readonly conflateMs: number;
}

const presentLevel = ({ odds, amount, offers, oldest }: StreamedLevel) => ({
  odds: numberFromMicros(odds as OddsMicros),
  amount: numberFromSum(amount),
  offers,
  oldest: new Date(oldest),
});

/** The level is not among the first ones any more. */
const gone = (odds: bigint) => ({ odds: numberFromMicros(odds as OddsMicros), amount: 0, offers: 0, oldest: null });

const isSame = (one: StreamedLevel | undefined, other: StreamedLevel): boolean =>
  one !== undefined && one.amount === other.amount && one.offers === other.offers && one.oldest === other.oldest;

/** A stream of one order book: the book first, then the levels that change. */
export class BookReader extends OpenStream implements BookFollower {
  #position: EventMark;
  /** As the reader was told them. */
  #told = new Map<bigint, StreamedLevel>();
  #toldOutcome: string;
  #toldAt = 0;
  #isDirty = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    by: StreamCaller,
    open: () => EventStream,
    private readonly options: BookReaderOptions,
  ) {
    super(by, open);
    const { book } = options;
    this.#position = book.position;
    this.#toldOutcome = book.state.outcome;
    book.join(this);
    this.#writeImage();
  }

  get conflateMs(): number {
    return this.options.conflateMs;
  }

  get userId(): bigint | undefined {
    return this.options.userId;
  }

  protected get seq(): bigint {
    return this.#position.seq;
  }

  protected cursor(): string {
    return encodePosition(this.by.accountId, this.#position);
  }

  protected lateMs(): number {
    return this.options.book.feed.lateMs();
  }

  protected leave(): void {
    clearTimeout(this.#timer);
    this.options.book.leave(this);
  }

  protected release(): void {
    // It holds nothing but the levels that its reader was told.
  }

  /** A reader that is not ready gets several changes as one. */
  noteChange(): void {
    this.#isDirty = true;
    this.resume();
  }

  notePosition(): void {
    if (!this.#isDirty) this.#position = this.options.book.position;
  }

  resume(): void {
    if (!this.#isDirty || !this.isReady || this.#timer !== undefined) return;
    const waitMs = this.#toldAt + this.options.conflateMs - performance.now();
    if (this.options.conflateMs === 0 || waitMs <= 0) {
      this.#writeChange();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isDirty && this.isReady) this.#writeChange();
    }, waitMs).unref();
  }

  #levels(): readonly StreamedLevel[] {
    const { book, depth, userId } = this.options;
    return book.state.first(depth, userId);
  }

  #facts() {
    return { as_of: this.cursor(), at: momentText(this.#position.at) };
  }

  #writeImage(): void {
    const levels = this.#levels();
    this.#tell(levels);
    const { book } = this.options;
    const data = {
      wager: book.reference,
      outcome: this.#toldOutcome,
      ...this.#facts(),
      levels: levels.map(presentLevel),
    };
    this.#writeFrame('image', data, FIRST_RETRY_MS);
  }

  #writeChange(): void {
    this.#isDirty = false;
    this.#position = this.options.book.position;
    const levels = this.#levels();
    const changed = levels.filter((level) => !isSame(this.#told.get(level.odds), level));
    const left = new Set(levels.map(({ odds }) => odds));
    const absent = [...this.#told.keys()].filter((odds) => !left.has(odds));
    const { outcome } = this.options.book.state;
    const isDecision = outcome !== this.#toldOutcome;
    if (changed.length === 0 && absent.length === 0 && !isDecision) return;
    this.#tell(levels);
    this.#toldOutcome = outcome;
    const data = {
      ...this.#facts(),
      ...(isDecision && { outcome }),
      levels: [...absent.map(gone), ...changed.map(presentLevel)],
    };
    this.#writeFrame('change', data);
  }

  #tell(levels: readonly StreamedLevel[]): void {
    this.#told = new Map(levels.map((level) => [level.odds, level]));
    this.#toldAt = performance.now();
  }

  #writeFrame(event: string, data: { readonly as_of: string }, retryMs?: number): void {
    const text = frameText({ id: data.as_of, event, data, ...(retryMs !== undefined && { retryMs }) });
    this.write(text, 1, this.#position.seq);
  }
}
