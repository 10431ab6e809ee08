import { LedgerError, NoAnswer } from './errors.js';

const FIRST_SERVER_FAULT = 500;
/** A fault that passes may come without a time: then a page tries again so much later. */
const USUAL_PAUSE_SECONDS = 5;

/** The seconds until another try by itself; undefined for a refusal that stays. */
export function pauseAfter(error: unknown): number | undefined {
  if (error instanceof NoAnswer) return USUAL_PAUSE_SECONDS;
  if (!(error instanceof LedgerError)) return undefined;
  return error.retryAfterSeconds ?? (error.status >= FIRST_SERVER_FAULT ? USUAL_PAUSE_SECONDS : undefined);
}

/** Ends early when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

const MOST_TRIES = 5;
const SECOND_MS = 1_000;
const never = new AbortController().signal;

/** Sends a request again where its fault passes. It must be one that does nothing twice. */
export async function patiently<Answer>(send: () => Promise<Answer>, signal = never): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      const seconds = pauseAfter(error);
      if (seconds === undefined || tries === MOST_TRIES) throw error;
      await pause(seconds * SECOND_MS, signal);
    }
  }
}

export interface Pace {
  /** When the next load may begin, as a number of milliseconds since 1970. */
  next(): number;
  /** A load begins. */
  note(isAwaited: boolean): void;
}

/** While changes keep coming, the pause between two loads grows to so many times the shortest. */
const LONGEST_TIMES = 2;

/** How often something is loaded that keeps changing: soon after a single change, more seldom the longer it goes on. */
export function createPace(shortestMs: number): Pace {
  let startedAt = -Infinity;
  let pauseMs = shortestMs;
  return {
    next: () => startedAt + pauseMs,
    note(isAwaited) {
      startedAt = Date.now();
      pauseMs = isAwaited ? Math.min(LONGEST_TIMES * shortestMs, 2 * pauseMs) : shortestMs;
    },
  };
}
