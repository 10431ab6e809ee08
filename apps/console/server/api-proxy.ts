import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { readAccountToken } from '#accounts/access/secrets.js';
import { HttpError, Unauthorized } from '#http/errors.js';
import { STREAM_TYPE, type StreamFacts } from '#http/event-stream.js';
import type { Logger } from '#platform/logging/logger.js';
import { LOGIN_ROUTE } from './api-calls.js';
import { limitBody } from './limited-body.js';
import type { StoredSession } from './session-store.js';
import type { Sessions } from './sessions.js';
import { ApiUnreachable, headOf, originOf, type Upstream } from './upstream.js';

// Passes requests of pages on to the API with the token of their session, and answers as they come, also streams.

export const API_PATH = '/api';

/** The first parts of the paths of the API's document. All else of its server, like its metrics, stays out of reach. */
export const API_RESOURCES: ReadonlySet<string> = new Set([
  'account',
  'account-events',
  'admin',
  'auth',
  'bets',
  'events',
  'exports',
  'readyz',
  'reconciliation',
  'transactions',
  'wagers',
  'webhook-endpoints',
]);

/** Its answer has a token, which no page may have. */
const NOT_FOR_PAGES = new Set([LOGIN_ROUTE]);

const REQUEST_HEADERS = [
  'accept',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-range',
  'last-event-id',
  'range',
  'traceparent',
];

const ANSWER_HEADERS = [
  'accept-ranges',
  'content-disposition',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'idempotent-replayed',
  'last-modified',
  'ledger-as-of',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'repr-digest',
  'retry-after',
  'x-accel-buffering',
];

/** The account that a page shows. Links, such as those of files, do not name it. */
const ACCOUNT_HEADER = 'console-account';

const WITHOUT_BODY = new Set(['GET', 'HEAD']);
const UNAUTHORIZED = 401;

/** The path and the query for the API; undefined for what is none of its documented routes. */
function targetOf({ originalUrl }: Request): string | undefined {
  const resource = /^\/api\/([a-z-]+)(?=[/?]|$)/.exec(originalUrl)?.[1];
  if (resource === undefined || !API_RESOURCES.has(resource)) return undefined;
  const target = originalUrl.slice(API_PATH.length);
  const [route = ''] = target.split('?', 1);
  // In the address of the API, dots and backslashes would lead to another route.
  if (new URL(route, 'http://api').pathname !== route) return undefined;
  return NOT_FOR_PAGES.has(route.toLowerCase().replace(/\/+$/, '')) ? undefined : target;
}

/** A page stays open when another account logs in in another tab. It has no part in the session of that account. */
function isOfAccount({ token }: StoredSession, { headers }: Request): boolean {
  const shown = headers[ACCOUNT_HEADER];
  return shown === undefined || shown === String(readAccountToken(token)?.accountId);
}

const chosen = (headers: IncomingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

/** Sends the request, with as much of its body as the API takes. */
async function ask(
  upstream: Upstream,
  { token }: StoredSession,
  target: string,
  [request, response]: readonly [Request, Response],
): Promise<IncomingMessage> {
  const headers = {
    ...chosen(request.headers, REQUEST_HEADERS),
    ...originOf(request, response),
    Authorization: `Bearer ${token}`,
  };
  const begun = upstream.request({ method: request.method, path: target, headers });
  // The browser went away: the API need not go on.
  response.once('close', () => begun.destroy());
  const head = headOf(begun);
  if (WITHOUT_BODY.has(request.method)) {
    begun.end();
    return head;
  }
  const body = pipeline(request, limitBody(), begun);
  // The API may answer before it has read all. A fault of the sending itself comes first otherwise.
  return Promise.race([head, body.then(() => head)]);
}

/** For the log and the metrics: how long a stream is open says nothing of the service. */
function noteStream({ locals }: Response, openedMs: number): void {
  const facts: StreamFacts = { openedMs, frames: undefined, end: 'passed-on' };
  locals.stream = facts;
}

export interface ApiProxyOptions {
  readonly upstream: Upstream;
  readonly sessions: Sessions;
  readonly logger: Logger;
}

export interface ApiProxy {
  readonly handle: RequestHandler;
  /** Ends the answers that are still under way, such as streams. */
  close(): void;
}

export function createApiProxy({ upstream, sessions, logger }: ApiProxyOptions): ApiProxy {
  const underWay = new Set<AbortController>();

  async function answer(response: Response, head: IncomingMessage, { endsAtMs }: StoredSession): Promise<void> {
    response.status(head.statusCode ?? 502);
    for (const [name, value] of Object.entries(chosen(head.headers, ANSWER_HEADERS))) {
      if (value !== undefined) response.setHeader(name, value);
    }
    response.flushHeaders();
    const abort = new AbortController();
    // A stream must not outlive the session that it was begun with.
    const timer = setTimeout(() => abort.abort(), endsAtMs - Date.now());
    underWay.add(abort);
    try {
      await pipeline(head, response, { signal: abort.signal });
    } catch (error) {
      logger.debug({ reason: String(error) }, 'an answer was not passed on to its end');
    } finally {
      clearTimeout(timer);
      underWay.delete(abort);
    }
  }

  async function handle(request: Request, response: Response): Promise<void> {
    const startedAt = performance.now();
    const session = await sessions.find(request);
    if (session === undefined || !isOfAccount(session, request)) throw new Unauthorized();
    const target = targetOf(request);
    if (target === undefined) throw new HttpError(404, 'There is no such route');
    const head = await ask(upstream, session, target, [request, response]).catch((error: unknown) => {
      if (error instanceof ApiUnreachable) logger.warn({ reason: String(error.cause ?? error) }, error.message);
      throw error;
    });
    if (head.statusCode === UNAUTHORIZED) await sessions.end(request, response);
    if (head.headers['content-type']?.startsWith(STREAM_TYPE)) noteStream(response, performance.now() - startedAt);
    await answer(response, head, session);
  }

  return {
    handle: (request, response) => handle(request, response),
    close() {
      for (const abort of underWay) abort.abort();
    },
  };
}
