import { LedgerError } from '../api/errors.js';
import { pause } from '../api/pauses.js';
import { hasEnded, pageHeaders } from '../api/session.js';
import { type Frame, readFrames } from './event-reader.js';

// Follows a stream of the API for as long as it is wanted: it connects again after every end, and goes on behind the last
// frame.

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** The API sends something every 5 seconds. A connection that is silent for longer is dead. */
const SILENCE_MS = 12_000;
const UNAUTHORIZED = 401;
const CONFLICT = 409;
/** Statuses that pass by themselves. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

export interface Followed {
  /** The address below `/api`, without `after`. */
  readonly path: string;
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
  /** Each connection that is accepted. `resumed`: nothing was missed since the last frame. */
  onOpen(resumed: boolean): void;
  onFrame(frame: Frame): void;
}

/** Until the person has logged in again. */
function untilLoggedIn(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      leave();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const leave = hasEnded.subscribe((ended) => {
      if (!ended) queueMicrotask(end);
    });
    signal.addEventListener('abort', end);
  });
}

/** Aborts a connection on which nothing arrives. */
function createWatch(signal: AbortSignal) {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const expect = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  expect();
  return { signal: AbortSignal.any([signal, silence.signal]), expect, end: () => clearTimeout(timer) };
}

async function refusalIn(answer: Response, path: string): Promise<LedgerError> {
  const text = await answer.text();
  const isJson = answer.headers.get('Content-Type')?.includes('json') ?? false;
  return new LedgerError(`GET ${path}`, answer, isJson ? JSON.parse(text) : text, undefined);
}

/** Ends when the signal aborts. It throws what the API refuses for good, such as a wager that does not exist. */
export async function follow({ path, after, signal, onOpen, onFrame }: Followed): Promise<void> {
  let last = after;
  let pauseMs = FIRST_PAUSE_MS;

  async function connect(): Promise<void> {
    const watch = createWatch(signal);
    try {
      const headers: Record<string, string> = { Accept: 'text/event-stream', ...pageHeaders() };
      if (last !== undefined) headers['Last-Event-ID'] = last;
      const answer = await fetch(`/api${path}`, { headers, signal: watch.signal });
      if (!answer.ok || answer.body === null) throw await refusalIn(answer, path);
      onOpen(last !== undefined);
      pauseMs = FIRST_PAUSE_MS;
      await readFrames(answer.body, {
        onFrame: (frame) => {
          if (frame.id !== undefined && frame.id !== '') last = frame.id;
          onFrame(frame);
        },
        onSign: watch.expect,
      });
    } finally {
      watch.end();
    }
  }

  async function recover(error: unknown): Promise<void> {
    if (!(error instanceof LedgerError)) return;
    if (error.status === UNAUTHORIZED) {
      hasEnded.value = true;
      await untilLoggedIn(signal);
    } else if (error.status === CONFLICT && last !== undefined) {
      last = undefined; // history was restored: begin anew, and load everything again
    } else if (!PASSING.includes(error.status)) {
      throw error;
    } else if (error.retryAfterSeconds !== undefined) {
      await pause(error.retryAfterSeconds * 1_000, signal);
    }
  }

  while (!signal.aborted) {
    await connect().catch((error: unknown) => (signal.aborted ? undefined : recover(error)));
    // Random, so that the consoles of one API that restarts do not come back all at once.
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}
