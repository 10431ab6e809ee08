import type { Caller } from '#accounts/access/authenticator.js';
import { type EventStream, frameText } from '#http/event-stream.js';

/** A reader that takes nothing for so long is cut off. It loses nothing: it resumes by its position. */
const STALLED_AFTER_MS = 30_000;
/** Streams end after this time, so that load balancers even out. */
const LONGEST_MS = 3_600_000;
const BOOKMARK_EVERY_MS = 5_000;
/** A bookmark follows what filters left out within this time and one beat. */
const BOOKMARK_AFTER_MS = 1_000;
const LATE_MS = 1_000;

export const streamKinds = ['events', 'book'] as const;
export type StreamKind = (typeof streamKinds)[number];

/** Why the API ends a stream, and how long the reader waits before it connects again. */
export const endRetryMs = {
  time: 0,
  shutdown: 1_000,
  access: 1_000,
  history: 1_000,
  size: 10_000,
  failure: 1_000,
} as const;
export type EndReason = keyof typeof endRetryMs;

export interface StreamCaller {
  readonly kind: StreamKind;
  readonly caller: Caller;
  /** Whether several changes come together: such a stream costs less. */
  readonly isConflated: boolean;
  /** The account whose log is read. */
  readonly accountId: bigint;
  /** The header that proves the caller, to be verified again when its access changes. */
  readonly authorization: string;
  /** Whether a caller may read this account. */
  readonly mayRead: (caller: Caller) => boolean;
}

/** A stream, from its first frame to its end: what streams of events and of books share. */
export abstract class OpenStream {
  /** Whether the credential is in doubt: until it is proved again, nothing new is written. */
  isInDoubt = false;
  /** How often its credential came into doubt, and of which of these a proof is under way. */
  doubts = 0;
  provingDoubt: number | undefined;
  provedAt = performance.now();
  protected readonly frames: EventStream;
  /** The last position that the reader was told. */
  #toldSeq = -1n;
  #passedAt = 0;
  #wroteAt = 0;
  #statusAt = 0;
  #toldLateMs = 0;
  readonly #openedAt = performance.now();

  constructor(
    readonly by: StreamCaller,
    open: () => EventStream,
  ) {
    this.frames = open();
    this.frames.onDrain = () => this.resume();
  }

  /** The number of the last event that was written, or that the filters left out. */
  protected abstract get seq(): bigint;
  /** The position of that event. */
  protected abstract cursor(): string;
  /** How far the stream is behind the log. */
  protected abstract lateMs(): number;
  /** Writes what there is, as far as the reader takes it. */
  abstract resume(): void;
  /** Forgets what a slow reader has still to be sent, where it can be read again. */
  protected abstract release(): void;
  /** Leaves what it follows. */
  protected abstract leave(): void;

  /** Calls `onEnd` once, when the stream has ended or its reader has hung up. */
  begin(onEnd: (reason: string) => void): void {
    this.frames.onClose = () => {
      this.leave();
      onEnd(this.frames.facts.end);
    };
  }

  /** The credential is proved. */
  confirm(): void {
    this.provedAt = performance.now();
    this.isInDoubt = false;
    this.resume();
  }

  protected get isReady(): boolean {
    return !this.isInDoubt && this.frames.isReady;
  }

  get isOpen(): boolean {
    return this.frames.isOpen;
  }

  /** Frames that tell the reader the position `toldSeq`. */
  protected write(text: string, frameCount: number, toldSeq: bigint): void {
    this.frames.write(text, frameCount);
    this.#wroteAt = performance.now();
    this.#toldSeq = toldSeq;
  }

  protected bookmark(retryMs?: number): void {
    const cursor = this.cursor();
    const frame = { id: cursor, event: 'bookmark', data: { cursor }, ...(retryMs !== undefined && { retryMs }) };
    this.write(frameText(frame), 1, this.seq);
  }

  /** Says at most once a second how late the stream is, and once that it is in time again. */
  protected noteLate(lateMs: number): void {
    const shownMs = lateMs > LATE_MS ? Math.round(lateMs) : 0;
    if (shownMs === 0 && this.#toldLateMs === 0) return;
    const now = performance.now();
    if (shownMs > 0 && now - this.#statusAt < LATE_MS) return;
    this.#statusAt = now;
    this.#toldLateMs = shownMs;
    this.frames.write(frameText({ event: 'status', data: { late_ms: shownMs } }));
  }

  /** Runs twice a second. */
  beat(now: number): void {
    const { waitsSince } = this.frames;
    if (waitsSince !== undefined) {
      this.release();
      if (now - waitsSince > STALLED_AFTER_MS) this.frames.cut('stalled');
      return;
    }
    if (now - this.#openedAt > LONGEST_MS) {
      this.end('time');
      return;
    }
    this.resume();
    if (!this.frames.isReady) return;
    this.noteLate(this.lateMs());
    this.#bookmarkWhenDue(now);
  }

  #bookmarkWhenDue(now: number): void {
    const isPassed = this.seq > this.#toldSeq;
    if (!isPassed) this.#passedAt = now;
    const isDue = now - this.#wroteAt > BOOKMARK_EVERY_MS || (isPassed && now - this.#passedAt > BOOKMARK_AFTER_MS);
    if (isDue) this.bookmark();
  }

  end(reason: EndReason): void {
    const data = { reason };
    this.frames.end(reason, frameText({ id: this.cursor(), event: 'end', data, retryMs: endRetryMs[reason] }));
  }
}
