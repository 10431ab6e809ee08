import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { isOfTypes, mayHaveMissed } from '../live/concerns.js';
import { type LedgerEvent, listen } from '../live/shared-events.js';
import { type Moment, Reads } from './api.js';
import { createPace, pauseAfter } from './pauses.js';
import { hasEnded } from './session.js';

const SHORTEST_PAUSE_MS = 1_000;
const SECOND_MS = 1_000;
const ALL_TYPES = ['*'];

export interface Resource<Body> {
  /** Of one moment. It stays while a newer one is loaded, and while loading fails. */
  readonly body: Body | undefined;
  readonly moment: Moment | undefined;
  /** Why the latest load failed. When that passes, it is tried again by itself. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads it again, as soon as it may. */
  readonly reload: () => void;
}

interface Loaded<Body> {
  readonly body?: Body;
  readonly moment?: Moment;
  readonly error?: unknown;
  readonly isLoading: boolean;
}

export interface ResourceOptions {
  /** Events after which the resource is loaded again: all of its types unless given. */
  readonly changedBy?: (event: LedgerEvent) => boolean;
  /** Of these events: all unless given. `offer.*` stands for all that begin so. Without both, it does not follow the ledger. */
  readonly types?: readonly string[];
  /** A change of the dependencies leaves what is shown in place until the newer state is there. */
  readonly isKept?: boolean;
  /** The shortest time between two loads. While events keep coming, it grows. */
  readonly pauseMs?: number;
}

interface Wanted<Body> extends ResourceOptions {
  readonly load: (reads: Reads) => Promise<Body>;
}

interface Loading {
  /** Asks for a newer state. */
  request(): void;
  /** What was loaded may lack what happened up to this position. */
  requestUnlessAt(position: string | undefined): void;
  stop(): void;
}

/**
 * Loads at once and after each request, one load at a time, at the pace of the resource. What is asked for during a load
 * causes one more, and so does a fault that passes. While the page is hidden nothing is loaded.
 */
class PacedLoading<Body extends object> implements Loading {
  readonly #abort = new AbortController();
  readonly #pace;
  #isRunning = false;
  #isStale = false;
  /** Where a stream has begun during the load. */
  #begunAt: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly state: Signal<Loaded<Body>>,
    private readonly load: Wanted<Body>['load'],
    pauseMs: number,
  ) {
    this.#pace = createPace(pauseMs);
    document.addEventListener('visibilitychange', this.#onVisible);
    void this.#run(false);
  }

  async #run(isAwaited: boolean): Promise<void> {
    this.#timer = undefined;
    if (isAwaited && document.visibilityState === 'hidden') return;
    this.#pace.note(isAwaited);
    this.#isRunning = true;
    this.#isStale = false;
    this.state.value = { ...this.state.peek(), isLoading: true };
    const reads = new Reads(this.#abort.signal);
    const result: Partial<Loaded<Body>> = await this.load(reads).then(
      (body) => ({ body, moment: reads.moment, error: undefined }),
      (error: unknown) => ({ error }),
    );
    this.#isRunning = false;
    if (this.#abort.signal.aborted) return;
    this.state.value = { ...this.state.peek(), ...result, isLoading: false };
    this.#goOn(result);
  }

  #goOn({ moment, error }: Partial<Loaded<Body>>): void {
    const [begunAt, pauseSeconds] = [this.#begunAt, pauseAfter(error)];
    this.#begunAt = undefined;
    if (pauseSeconds !== undefined) this.#runIn(pauseSeconds * SECOND_MS);
    else if (this.#isStale || (begunAt !== undefined && moment?.asOf !== begunAt)) this.request();
  }

  #runIn(ms: number): void {
    this.#isStale = true;
    // A load that had to wait for its turn is one of many.
    this.#timer = setTimeout(() => void this.#run(true), Math.max(0, ms));
  }

  readonly #onVisible = (): void => {
    if (document.visibilityState === 'visible' && this.#isStale) this.request();
  };

  request(): void {
    this.#isStale = true;
    if (this.#isRunning || this.#timer !== undefined || document.visibilityState === 'hidden') return;
    const waitMs = this.#pace.next() - Date.now();
    if (waitMs > 0) this.#runIn(waitMs);
    else void this.#run(false);
  }

  requestUnlessAt(position: string | undefined): void {
    if (position !== undefined && this.#isRunning) this.#begunAt = position;
    else if (position === undefined || this.state.peek().moment?.asOf !== position) this.request();
  }

  stop(): void {
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#onVisible);
    this.#abort.abort();
  }
}

/** Asks for a newer state whenever what was loaded may be old. */
function followChanges(wanted: () => ResourceOptions, loading: Loading): () => void {
  const leaveStream =
    (wanted().changedBy ?? wanted().types) === undefined
      ? undefined
      : listen({
          event(event) {
            const { changedBy, types = ALL_TYPES } = wanted();
            if (isOfTypes(event.type, types) && changedBy?.(event) !== false) loading.request();
          },
          begin: (position) => loading.requestUnlessAt(position),
          missed(types) {
            if (mayHaveMissed(types, wanted().types ?? ALL_TYPES)) loading.request();
          },
        });
  // After a log-in the page goes on as it stands, with its forms.
  let hadEnded = false;
  const leaveSession = hasEnded.subscribe((ended) => {
    if (hadEnded && !ended) loading.request();
    hadEnded = ended;
  });
  return () => {
    leaveStream?.();
    leaveSession();
  };
}

/**
 * Loads what a page shows, again whenever `dependencies` change, after a new log-in, and when an event changes it. So the
 * last state is always shown.
 */
export function useResource<Body extends object>(
  load: (reads: Reads) => Promise<Body>,
  dependencies: readonly unknown[],
  options: ResourceOptions = {},
): Resource<Body> {
  const state = useSignal<Loaded<Body>>({ isLoading: true });
  const wantedRef = useRef<Wanted<Body>>({ load, ...options });
  wantedRef.current = { load, ...options };
  const reloadRef = useRef<() => void>(() => undefined);

  // Before the first paint, so that it shows what came with the page.
  useLayoutEffect(() => {
    const { pauseMs = SHORTEST_PAUSE_MS, isKept = false } = wantedRef.current;
    state.value = { ...(isKept && state.peek()), isLoading: true };
    const loading = new PacedLoading(state, (reads) => wantedRef.current.load(reads), pauseMs);
    const leave = followChanges(() => wantedRef.current, loading);
    reloadRef.current = () => loading.request();
    return () => {
      leave();
      loading.stop();
    };
  }, dependencies);

  const { body, moment, error, isLoading } = state.value;
  const reload = useCallback(() => reloadRef.current(), []);
  return { body, moment, error, isLoading, reload };
}

/** A list whose pages are loaded one by one. */
export interface Pages<Body> extends Resource<Body> {
  /** Of the page; empty: the first one. */
  readonly cursor: string;
  readonly onMove: (cursor: string) => void;
}

/** Loads the page of a list that its cursor names, at first the first one. */
export function usePages<Body extends object>(
  load: (reads: Reads, cursor: string) => Promise<Body>,
  dependencies: readonly unknown[],
  options: ResourceOptions = {},
): Pages<Body> {
  const cursor = useSignal('');
  const resource = useResource((reads) => load(reads, cursor.value), [...dependencies, cursor.value], options);
  const onMove = (to: string) => {
    cursor.value = to;
  };
  return { ...resource, cursor: cursor.value, onMove };
}
