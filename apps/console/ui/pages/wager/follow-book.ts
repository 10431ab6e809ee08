import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Schemas } from '../../api/api.js';
import { viewedAccount } from '../../api/viewed-account.js';
import type { Frame } from '../../live/event-reader.js';
import { follow } from '../../live/follow.js';

export type Level = Schemas['OrderBook']['levels'][number];

export interface BookState {
  /** By odds, the lowest first. */
  readonly levels: readonly Level[];
  /** When the last frame was true. */
  readonly at: Date | undefined;
  /** The time since which nothing has come in time; undefined while the book is live. */
  readonly silentSince: Date | undefined;
  readonly error: unknown;
}

interface BookFrame {
  readonly at: string;
  readonly levels: readonly Level[];
}

/** The API merges the changes of this time: a person reads no more than ten states a second. */
const CONFLATE_MS = 100;
const PATIENCE_MS = 10_000;
const TICK_MS = 1_000;

const EMPTY: BookState = { levels: [], at: undefined, silentSince: undefined, error: undefined };

/** Applies frames to the levels, and shows them once for each picture that the browser draws. */
class BookFolding {
  readonly #levels = new Map<number, Level>();
  #at: string | undefined;
  #request: number | undefined;
  #signAt = Date.now();
  #isLate = false;

  constructor(private readonly state: Signal<BookState>) {}

  /** Each connection says anew that it is late. */
  open(): void {
    this.#isLate = false;
    this.#sign();
  }

  /** The API sends a bookmark when nothing else has come for 5 seconds. */
  take({ event, data }: Frame): void {
    if (event === 'status') this.#isLate = (JSON.parse(data) as { late_ms: number }).late_ms > 0;
    if (!this.#isLate) this.#sign();
    if (event !== 'image' && event !== 'change') return;
    const { at, levels } = JSON.parse(data) as BookFrame;
    if (event === 'image') this.#levels.clear();
    for (const level of levels) {
      if (level.amount === 0) this.#levels.delete(level.odds);
      else this.#levels.set(level.odds, level);
    }
    this.#at = at;
    this.#request ??= requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#request = undefined;
    const levels = [...this.#levels.values()].sort((one, other) => one.odds - other.odds);
    this.state.value = { ...this.state.peek(), levels, at: new Date(this.#at ?? Date.now()), error: undefined };
  }

  #sign(): void {
    this.#signAt = Date.now();
    this.check();
  }

  /** Whether the stream still says something, and in time. */
  check(): void {
    const isSilent = Date.now() - this.#signAt > PATIENCE_MS;
    const state = this.state.peek();
    if (isSilent !== (state.silentSince !== undefined)) {
      this.state.value = { ...state, silentSince: isSilent ? new Date(this.#signAt) : undefined };
    }
  }

  stop(): void {
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
  }
}

export interface FollowedBook {
  readonly reference: string;
  readonly depth: number;
}

function startFollowing({ reference, depth }: FollowedBook, state: Signal<BookState>): () => void {
  const stop = new AbortController();
  const folding = new BookFolding(state);
  const query = new URLSearchParams({ depth: String(depth), conflate_ms: String(CONFLATE_MS) });
  const account = viewedAccount.peek();
  if (account !== undefined) query.set('account_id', String(account));
  follow({
    path: `/wagers/${encodeURIComponent(reference)}/book/stream?${query}`,
    signal: stop.signal,
    onOpen: () => folding.open(),
    onFrame: (frame) => folding.take(frame),
  }).catch((error: unknown) => {
    if (!stop.signal.aborted) state.value = { ...state.peek(), error };
  });
  const timer = setInterval(() => folding.check(), TICK_MS);
  return () => {
    stop.abort();
    clearInterval(timer);
    folding.stop();
  };
}

/** Follows a book while the page is visible: browsers allow six connections to a host. */
export function useBook(followed: FollowedBook): Signal<BookState> {
  const { reference, depth } = followed;
  const state = useSignal<BookState>(EMPTY);
  const isVisible = useSignal(document.visibilityState === 'visible');
  useEffect(() => {
    const onChange = () => {
      isVisible.value = document.visibilityState === 'visible';
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  const shown = isVisible.value;
  useEffect(() => {
    if (!shown) return undefined;
    return startFollowing(followed, state);
  }, [reference, depth, shown]);
  return state;
}
