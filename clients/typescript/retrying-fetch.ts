import { LedgerUnreachable, retryAfterOf } from './errors.js';

export const KEY_HEADER = 'Idempotency-Key';

export interface RetryOptions {
  /** How often a request is sent again. */
  readonly retries: number;
  /** Before the first retry; doubled for each further one. */
  readonly firstWaitMs: number;
  /** No wait is longer: when the service asks for more, its answer is passed on. */
  readonly maxWaitMs: number;
  /** For one try, its answer included. */
  readonly timeoutMs: number;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Too many requests; and what the service, or a gateway before it, says when it cannot answer. */
const PASSING_STATUSES = [429, 502, 503, 504];
const CONFLICT = 409;

/** A conflict that says when to come back is a request with the same key that is still running. */
const isPassing = (response: Response): boolean =>
  PASSING_STATUSES.includes(response.status) || (response.status === CONFLICT && retryAfterOf(response) !== undefined);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
}

/** What came of one try. */
interface Attempt {
  readonly answer?: Response;
  readonly fault?: unknown;
}

/**
 * Sends a request until it has an answer that lasts. The answer is read to its end within a try, as a connection may be
 * lost there as well. What must not be repeated is sent once.
 */
export function createRetryingFetch(
  { retries, firstWaitMs, maxWaitMs, timeoutMs, fetch }: RetryOptions,
  isRepeatable: (request: Request) => boolean,
): (request: Request) => Promise<Response> {
  async function attempt(request: Request): Promise<Attempt> {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await fetch(new Request(request.clone(), { signal }));
      const body = await response.arrayBuffer();
      const { status, statusText, headers } = response;
      return { answer: new Response(body.byteLength === 0 ? null : body, { status, statusText, headers }) };
    } catch (fault) {
      if (request.signal.aborted) throw fault;
      return { fault };
    }
  }

  /** Undefined: no further try. Never exactly as long as others wait, so that they do not come at once. */
  function waitAfter(tries: number, { answer }: Attempt): number | undefined {
    if (tries > retries || (answer !== undefined && !isPassing(answer))) return undefined;
    const usualMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (tries - 1));
    const askedMs = 1_000 * ((answer && retryAfterOf(answer)) ?? 0);
    if (askedMs > maxWaitMs) return undefined;
    return Math.max(usualMs * (0.5 + Math.random() / 2), askedMs * (1 + Math.random() / 2));
  }

  return async (request) => {
    for (let tries = 1; ; tries += 1) {
      const result = await attempt(request);
      const wait = isRepeatable(request) ? waitAfter(tries, result) : undefined;
      if (wait !== undefined) await pause(wait, request.signal);
      else if (result.answer !== undefined) return result.answer;
      else throw new LedgerUnreachable(request, tries, request.headers.get(KEY_HEADER) ?? undefined, result.fault);
    }
  };
}
