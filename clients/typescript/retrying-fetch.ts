import { LedgerUnreachable, retryAfterOf } from './errors.js';
import type { ErrorCode } from './generated.js';

export const KEY_HEADER = 'Idempotency-Key';

export interface RetryOptions {
  /** The number of retries. */
  readonly retries: number;
  /** Before the first retry; doubled for each further one. */
  readonly firstWaitMs: number;
  /** The longest wait: when the service asks for a longer one, the caller gets its answer. */
  readonly maxWaitMs: number;
  /** For one attempt, including its answer, beside the wait that it asks for. */
  readonly timeoutMs: number;
  /** For all attempts and the waits between them, beside the wait that the request asks for. */
  readonly totalWaitMs: number;
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * A connection that the server gave up before it read a request, too many requests, and the statuses of a service or
 * gateway that cannot answer now.
 */
const PASSING_STATUSES = [408, 429, 502, 503, 504];
const CONFLICT = 409;

/** A service without webhooks or second factors stays so. */
const LASTING_CODES: readonly (string | null)[] = ['webhooks-off', 'second-factor-off'] satisfies ErrorCode[];

/** A conflict with Retry-After means that a request with the same key is still running. */
const isPassing = (response: Response): boolean =>
  response.status === CONFLICT
    ? retryAfterOf(response) !== undefined
    : PASSING_STATUSES.includes(response.status) && !LASTING_CODES.includes(response.headers.get('Ledger-Error'));

/** How long the service waits on purpose before it answers. */
const askedWaitMs = ({ url }: Request): number => Number(new URL(url).searchParams.get('wait_ms')) || 0;

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
  });
}

/** The result of one attempt. */
interface Attempt {
  readonly answer?: Response;
  readonly fault?: unknown;
}

/**
 * Sends a request until it has a final answer. Each attempt reads the whole answer, because the connection may be lost
 * there as well. A request that must not be repeated is sent once.
 */
export function createRetryingFetch(
  { retries, firstWaitMs, maxWaitMs, timeoutMs, totalWaitMs, fetch }: RetryOptions,
  isRepeatable: (request: Request) => boolean,
): (request: Request) => Promise<Response> {
  async function attempt(request: Request, leftMs: number): Promise<Attempt> {
    const patienceMs = Math.max(1, Math.ceil(Math.min(leftMs, timeoutMs + askedWaitMs(request))));
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(patienceMs)]);
    try {
      // The API redirects nothing: a server that does must get neither the body nor the credential.
      const response = await fetch(new Request(request.clone(), { signal, redirect: 'manual' }));
      const body = await response.arrayBuffer();
      const { status, statusText, headers } = response;
      return { answer: new Response(body.byteLength === 0 ? null : body, { status, statusText, headers }) };
    } catch (fault) {
      if (request.signal.aborted) throw request.signal.reason;
      return { fault };
    }
  }

  /** The wait before the next attempt; undefined for none. It is random, so that clients do not retry all at once. */
  function waitAfter(tries: number, { answer }: Attempt): number | undefined {
    if (tries > retries || (answer !== undefined && !isPassing(answer))) return undefined;
    const usualMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (tries - 1));
    const askedMs = 1_000 * ((answer && retryAfterOf(answer)) ?? 0);
    if (askedMs > maxWaitMs) return undefined;
    return Math.max(usualMs * (0.5 + Math.random() / 2), askedMs * (1 + Math.random() / 2));
  }

  return async (request) => {
    const until = performance.now() + totalWaitMs + askedWaitMs(request);
    const leftMs = () => until - performance.now();
    for (let tries = 1; ; tries += 1) {
      const result = await attempt(request, leftMs());
      const wait = isRepeatable(request) ? waitAfter(tries, result) : undefined;
      if (wait !== undefined && wait < leftMs()) await pause(wait, request.signal);
      else if (result.answer !== undefined) return result.answer;
      else throw new LedgerUnreachable(request, tries, request.headers.get(KEY_HEADER) ?? undefined, result.fault);
    }
  };
}
