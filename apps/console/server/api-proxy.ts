import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { readAccountToken } from '#accounts/access/secrets.js';
import { HttpError, Unauthorized } from '#http/errors.js';
import { STREAM_TYPE, type StreamFacts } from '#http/event-stream.js';
import type { Logger } from '#platform/logging/logger.js';
import { LOGIN_ROUTE } from './api-calls.js';
import { createWithBody, type WithBody } from './read-body.js';
import type { FoundSession, StoredSession } from './session-store.js';
import type { Sessions } from './sessions.js';
import { ApiUnreachable, type OriginOf, type Upstream, type UpstreamAnswer, type UpstreamMethod } from './upstream.js';

// Passes requests of pages on to the API with the token of their session, and answers as they come, also streams. It reads a
// request whole first, and sends one of its own with the same content. Only the named headers pass, either way.

export const API_PATH = '/api';

/** The first parts of the paths of the API's document. All else of its server, like its metrics, stays out of reach. */
export const API_RESOURCES: ReadonlySet<string> = new Set([
  'account',
  'account-events',
  'admin',
  'auth',
  'bets',
  'change-requests',
  'events',
  'exports',
  'operators',
  'previews',
  'readyz',
  'reconciliation',
  'request-log',
  'risk',
  'sandbox',
  'search',
  'series',
  'transactions',
  'wagers',
  'webhook-endpoints',
]);

/** Its answer has a token, which no page may have. */
const NOT_FOR_PAGES = new Set([LOGIN_ROUTE]);

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
] satisfies UpstreamMethod[]);

const REQUEST_HEADERS = [
  'accept',
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
  'ledger-error',
  'ledger-error-operation',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'repr-digest',
  'retry-after',
  'x-accel-buffering',
];

/** Of a request with a body. */
const BODY_HEADERS = ['content-type'];

/** The account and the person that a page shows. Links, such as those of files, do not name them. */
const ACCOUNT_HEADER = 'console-account';
const OPERATOR_HEADER = 'console-operator';

const UNAUTHORIZED = 401;
const METHOD_NOT_ALLOWED = 405;

/** The path and the query for the API; undefined for what is none of its documented routes. */
function targetOf({ originalUrl }: Request): string | undefined {
  const resource = /^\/api\/([a-z-]+)(?=[/?]|$)/.exec(originalUrl)?.[1];
  if (resource === undefined || !API_RESOURCES.has(resource)) return undefined;
  const target = originalUrl.slice(API_PATH.length);
  const [route = ''] = target.split('?', 1);
  // In the address of the API, dots and backslashes would lead to another route.
  const { pathname, search } = new URL(target, 'http://api');
  if (pathname !== route) return undefined;
  // The API decodes a path. Express has refused one that does not decode, as the parameter of this route.
  const decoded = decodeURIComponent(route).toLowerCase().replace(/\/+$/, '');
  return NOT_FOR_PAGES.has(decoded) ? undefined : `${pathname}${search}`;
}

/** A page stays open when another person logs in in another tab. It has no part in that session. */
function isOfPerson({ token, operatorId }: StoredSession, { headers }: Request): boolean {
  const isShown = (header: string, id: unknown) => headers[header] === undefined || headers[header] === String(id);
  return isShown(ACCOUNT_HEADER, readAccountToken(token)?.accountId) && isShown(OPERATOR_HEADER, operatorId);
}

const chosen = (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

/** For the log and the metrics: how long a stream is open says nothing of the service. */
function noteStream({ locals }: Response, openedMs: number): void {
  const facts: StreamFacts = { openedMs, frames: undefined, end: 'passed-on' };
  locals.stream = facts;
}

export interface ApiProxyOptions {
  readonly upstream: Upstream;
  readonly originOf: OriginOf;
  readonly sessions: Sessions;
  readonly logger: Logger;
}

export interface ApiProxy {
  readonly handle: RequestHandler;
  /** Ends the answers that are still under way, such as streams. */
  close(): void;
}

/** A request of a page, with what was found for it. */
interface Passed {
  readonly request: Request;
  readonly response: Response;
  readonly session: StoredSession;
  /** The path and the query for the API. */
  readonly target: string;
  /** Aborts the request to the API and its answer. */
  readonly abort: AbortController;
}

/** Sends the request once its body was read. */
function createAsk({ upstream, originOf }: ApiProxyOptions, withBody: WithBody) {
  return ({ request, response, session: { token }, target, abort }: Passed): Promise<UpstreamAnswer> => {
    const { method, headers } = request;
    return withBody(request, readAccountToken(token)?.accountId ?? 0n, (body) =>
      upstream.request({
        method: method as UpstreamMethod,
        path: target,
        headers: {
          ...chosen(headers, REQUEST_HEADERS),
          ...(body.length > 0 && chosen(headers, BODY_HEADERS)),
          ...originOf(request, response),
          authorization: `Bearer ${token}`,
        },
        body: body.length > 0 ? body : undefined,
        signal: abort.signal,
      }),
    );
  };
}

async function passOn({ body, headers, statusCode }: UpstreamAnswer, response: Response): Promise<void> {
  response.status(statusCode);
  for (const [name, value] of Object.entries(chosen(headers, ANSWER_HEADERS))) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.flushHeaders();
  await pipeline(body, response);
}

/** Aborts when the session ends, which persons may postpone meanwhile. Returns how to stop. */
function endWithSession(sessions: Sessions, request: Request, first: FoundSession, abort: AbortController): () => void {
  const watch = ({ leftMs }: FoundSession) => setTimeout(look, Math.max(leftMs, 1));
  const look = async () => {
    const found = await sessions.findAgain(request).catch(() => undefined);
    if (abort.signal.aborted) return;
    if (found === undefined) abort.abort();
    else timer = watch(found);
  };
  let timer = watch(first);
  return () => {
    clearTimeout(timer);
    abort.abort();
  };
}

export function createApiProxy(options: ApiProxyOptions): ApiProxy {
  const { sessions, logger } = options;
  const ask = createAsk(options, createWithBody());
  const underWay = new Set<AbortController>();

  async function answer(passed: Passed, startedAt: number): Promise<void> {
    const { request, response } = passed;
    const head = await ask(passed).catch((error: unknown) => {
      if (error instanceof ApiUnreachable) logger.warn({ reason: String(error.cause) }, error.message);
      throw error;
    });
    if (head.statusCode === UNAUTHORIZED) await sessions.end(request, response);
    if (String(head.headers['content-type']).startsWith(STREAM_TYPE))
      noteStream(response, performance.now() - startedAt);
    await passOn(head, response).catch((error: unknown) => {
      logger.debug({ reason: String(error) }, 'an answer was not passed on to its end');
    });
  }

  async function handle(request: Request, response: Response): Promise<void> {
    const startedAt = performance.now();
    const session = await sessions.find(request);
    if (session === undefined || !isOfPerson(session, request)) throw new Unauthorized();
    const target = targetOf(request);
    if (target === undefined) throw new HttpError(404, 'There is no such route');
    if (!METHODS.has(request.method)) throw new HttpError(METHOD_NOT_ALLOWED, 'The API has no such method');
    const abort = new AbortController();
    // When the browser hangs up, the API need not continue.
    response.once('close', () => abort.abort());
    if (response.closed) abort.abort();
    // A stream must not outlive the session that it was begun with.
    const stop = endWithSession(sessions, request, session, abort);
    underWay.add(abort);
    try {
      await answer({ request, response, session, target, abort }, startedAt);
    } finally {
      stop();
      underWay.delete(abort);
    }
  }

  return {
    handle: (request, response) => handle(request, response),
    close() {
      for (const abort of underWay) abort.abort();
    },
  };
}
