import { LedgerError, retryAfterOf } from './errors.js';
import { pause } from './retrying-fetch.js';
import { type ServerEvent, ServerEventParser } from './server-events.js';

// Reads a stream for as long as its caller wants, over as many connections as that takes.

export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** The stream is so many milliseconds behind the log; 0: it is in time again. */
  readonly onLate?: (lateMs: number) => void;
  /** Everything up to this cursor has been seen or left out by the filters: where to go on another day. */
  readonly onPosition?: (cursor: string) => void;
  /** The stream was cut or has ended, and is opened again. */
  readonly onReconnect?: () => void;
}

export interface Connection {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

interface StreamTarget {
  /** With its query. */
  readonly path: string;
  /** Whether a new connection goes on behind the last frame. Else it begins anew. */
  readonly resumes: boolean;
}

/** Bookmarks come every 5 seconds: a connection that says nothing for so long is dead. */
const SILENT_AFTER_MS = 15_000;
/** The server gave the connection up before it read the request. */
const REQUEST_TIMEOUT = 408;
const TOO_MANY = 429;
const SERVER_FAULTS = 500;

export const queryText = (query: Readonly<Record<string, unknown>>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
};

class Follower {
  readonly #parser = new ServerEventParser();
  #lastId: string | undefined;
  #failures = 0;

  constructor(
    private readonly connection: Connection,
    private readonly target: StreamTarget,
    private readonly options: FollowOptions,
  ) {}

  async *frames(): AsyncGenerator<ServerEvent, void, void> {
    const { signal } = this.options;
    for (;;) {
      signal?.throwIfAborted();
      const hangUp = new AbortController();
      const stop = () => hangUp.abort(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const response = await this.#open(hangUp.signal);
        if (response === undefined) continue;
        yield* this.#read(response, hangUp);
      } finally {
        signal?.removeEventListener('abort', stop);
        hangUp.abort();
      }
      signal?.throwIfAborted();
      this.options.onReconnect?.();
      await this.#wait(this.#failures === 0 ? this.#parser.retryMs : undefined);
    }
  }

  /** Undefined: not this time. Throws when it makes no sense to try again. */
  async #open(hangUp: AbortSignal): Promise<Response | undefined> {
    const { baseUrl, headers, fetch } = this.connection;
    const { path, resumes } = this.target;
    const { signal } = this.options;
    const request = new Request(`${baseUrl.replace(/\/$/, '')}${path}`, {
      headers: {
        ...headers,
        Accept: 'text/event-stream',
        ...(resumes && this.#lastId !== undefined && { 'Last-Event-ID': this.#lastId }),
      },
      redirect: 'manual',
      signal: hangUp,
    });
    const response = await inTime(fetch(request), hangUp).catch(() => undefined);
    signal?.throwIfAborted();
    if (response?.status === 200 && response.body !== null) return response;
    const status = response?.status ?? SERVER_FAULTS;
    if (response !== undefined && ![REQUEST_TIMEOUT, TOO_MANY].includes(status) && status < SERVER_FAULTS) {
      const body: unknown = await response.json().catch(() => undefined);
      throw new LedgerError(`GET ${path.split('?')[0]}`, response, body, undefined);
    }
    await response?.body?.cancel();
    this.#failures += 1;
    await this.#wait(response && askedMs(response));
    return undefined;
  }

  /** The frames of one connection. A cut is no error: the next connection goes on. */
  async *#read({ body }: Response, hangUp: AbortController): AsyncGenerator<ServerEvent, void, void> {
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    // The fetch that was given may not pass the signal on to the body.
    hangUp.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true });
    const decoder = new TextDecoder();
    // What a cut has left of a frame is not continued.
    this.#parser.reset();
    this.#failures += 1;
    for (;;) {
      const part = await inTime(reader.read(), hangUp.signal).catch(() => undefined);
      if (part?.value === undefined) return hangUp.abort();
      for (const frame of this.#parser.push(decoder.decode(part.value, { stream: true }))) {
        this.#failures = 0;
        if (frame.event === 'status') this.options.onLate?.(JSON.parse(frame.data).late_ms);
        else if (frame.event !== 'bookmark' && frame.event !== 'end') yield frame;
        // Only now: when the caller throws, the frame was not seen.
        if (frame.id !== undefined) this.#moveTo(frame.id);
      }
    }
  }

  #moveTo(id: string): void {
    this.#lastId = id;
    this.options.onPosition?.(id);
  }

  /** As long as the server asks, else longer with each failure; by chance, so that readers do not return all at once. */
  async #wait(askedMs = 0): Promise<void> {
    const { firstWaitMs, maxWaitMs } = this.connection;
    const usualMs = this.#failures === 0 ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (this.#failures - 1));
    const ms = Math.max(usualMs * (0.5 + Math.random() / 2), askedMs * (1 + Math.random() / 4));
    await pause(ms, this.options.signal);
  }
}

const askedMs = (response: Response): number => 1_000 * (retryAfterOf(response) ?? 0);

/** Rejects when the server says nothing, and when the signal is aborted. */
function inTime<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('the stream is silent, or not wanted any more'));
    const timer = setTimeout(giveUp, SILENT_AFTER_MS);
    signal.addEventListener('abort', giveUp, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
    work.finally(settle).then(resolve, reject);
    if (signal.aborted) giveUp();
  });
}

/** The frames of a stream, but its bookmarks and the like. */
export const followStream = (
  connection: Connection,
  target: StreamTarget,
  options: FollowOptions = {},
): AsyncGenerator<ServerEvent, void, void> => new Follower(connection, target, options).frames();
