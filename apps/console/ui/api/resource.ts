import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { type LedgerEvent, onStream } from '../live/shared-events.js';
import { type Moment, momentOf } from './api.js';
import { hasEnded } from './session.js';

/** At most one load of a resource in this time, however many events ask for it. */
const SHORTEST_PAUSE_MS = 1_000;

export interface Resource<Body> {
  /** Of one moment. It stays while a newer one is loaded, and while loading fails. */
  readonly body: Body | undefined;
  readonly moment: Moment | undefined;
  /** Why the latest load failed. */
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Loaded<Body> {
  readonly body?: Body;
  readonly moment?: Moment;
  readonly error?: unknown;
  readonly isLoading: boolean;
}

export interface ResourceOptions {
  /** Events after which the resource is loaded again. Without it, it does not follow the ledger. */
  readonly changedBy?: (event: LedgerEvent) => boolean;
}

interface Wanted<Body> extends ResourceOptions {
  readonly load: (signal: AbortSignal) => Promise<Body>;
}

interface Loading {
  /** Asks for a newer state. */
  request(): void;
  stop(): void;
}

/** Loads at once and after each request, one load at a time. What is asked for during a load causes one more. */
function startLoading<Body extends object>(state: Signal<Loaded<Body>>, load: Wanted<Body>['load']): Loading {
  const abort = new AbortController();
  let isRunning = false;
  let isStale = false;
  let startedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    timer = undefined;
    isRunning = true;
    isStale = false;
    startedAt = Date.now();
    state.value = { ...state.peek(), isLoading: true };
    const result: Partial<Loaded<Body>> = await load(abort.signal).then(
      (body) => ({ body, moment: momentOf(body), error: undefined }),
      (error: unknown) => ({ error }),
    );
    isRunning = false;
    if (abort.signal.aborted) return;
    state.value = { ...state.peek(), ...result, isLoading: false };
    if (isStale) request();
  }

  function request(): void {
    isStale = true;
    if (isRunning || timer !== undefined) return;
    timer = setTimeout(run, Math.max(0, startedAt + SHORTEST_PAUSE_MS - Date.now()));
  }

  void run();
  return {
    request,
    stop() {
      clearTimeout(timer);
      abort.abort();
    },
  };
}

/** Calls `request` whenever what was loaded may be old. */
function followChanges(wanted: () => ResourceOptions, request: () => void): () => void {
  const leaveStream = onStream({
    event: (event) => {
      if (wanted().changedBy?.(event)) request();
    },
    // What happened before the stream began may be missing.
    begin: () => {
      if (wanted().changedBy !== undefined) request();
    },
  });
  // After a log-in the page goes on as it stands, with its forms.
  let hadEnded = false;
  const leaveSession = hasEnded.subscribe((ended) => {
    if (hadEnded && !ended) request();
    hadEnded = ended;
  });
  return () => {
    leaveStream();
    leaveSession();
  };
}

/**
 * Loads what a page shows, again whenever `dependencies` change, after a new log-in, and when an event changes it. So the
 * last state is always shown.
 */
export function useResource<Body extends object>(
  load: (signal: AbortSignal) => Promise<Body>,
  dependencies: readonly unknown[],
  options: ResourceOptions = {},
): Resource<Body> {
  const state = useSignal<Loaded<Body>>({ isLoading: true });
  const wantedRef = useRef<Wanted<Body>>({ load, ...options });
  wantedRef.current = { load, ...options };
  const reloadRef = useRef<() => void>(() => undefined);

  useEffect(() => {
    state.value = { isLoading: true };
    const loading = startLoading(state, (signal) => wantedRef.current.load(signal));
    const leave = followChanges(() => wantedRef.current, loading.request);
    reloadRef.current = loading.request;
    return () => {
      leave();
      loading.stop();
    };
  }, dependencies);

  const { body, moment, error, isLoading } = state.value;
  const reload = useCallback(() => reloadRef.current(), []);
  return { body, moment, error, isLoading, reload };
}
