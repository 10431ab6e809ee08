import { useSignal } from '@preact/signals';
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

/**
 * Loads what a page shows, again whenever `dependencies` change, after a new log-in, and when an event changes it. One load
 * runs at a time; what happens during a load causes one more, so the last state is always shown.
 */
export function useResource<Body extends object>(
  load: (signal: AbortSignal) => Promise<Body>,
  dependencies: readonly unknown[],
  { changedBy }: ResourceOptions = {},
): Resource<Body> {
  const state = useSignal<Loaded<Body>>({ isLoading: true });
  const reloadRef = useRef<() => void>(() => undefined);
  const changedByRef = useRef(changedBy);
  changedByRef.current = changedBy;
  const loadRef = useRef(load);
  loadRef.current = load;

  useEffect(() => {
    const abort = new AbortController();
    let isRunning = false;
    let isStale = false;
    let startedAt = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function run(): Promise<void> {
      isRunning = true;
      isStale = false;
      startedAt = Date.now();
      state.value = { ...state.value, isLoading: true };
      try {
        const body = await loadRef.current(abort.signal);
        if (!abort.signal.aborted) state.value = { body, moment: momentOf(body), isLoading: false };
      } catch (error) {
        if (!abort.signal.aborted) state.value = { ...state.value, error, isLoading: false };
      }
      isRunning = false;
      if (isStale) request();
    }
    function request(): void {
      isStale = true;
      if (isRunning || timer !== undefined || abort.signal.aborted) return;
      const pauseMs = Math.max(0, startedAt + SHORTEST_PAUSE_MS - Date.now());
      timer = setTimeout(() => {
        timer = undefined;
        void run();
      }, pauseMs);
    }

    reloadRef.current = request;
    const leaveStream = onStream({
      event: (event) => {
        if (changedByRef.current?.(event)) request();
      },
      // What happened before the stream began may be missing.
      begin: () => {
        if (changedByRef.current !== undefined) request();
      },
    });
    // After a log-in the page goes on as it stands, with its forms.
    const leaveSession = hasEnded.subscribe((ended) => {
      if (!ended && startedAt > 0) request();
    });
    state.value = { isLoading: true };
    void run();
    return () => {
      leaveStream();
      leaveSession();
      clearTimeout(timer);
      abort.abort();
    };
  }, dependencies);

  const { body, moment, error, isLoading } = state.value;
  const reload = useCallback(() => reloadRef.current(), []);
  return { body, moment, error, isLoading, reload };
}
