import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import type { Logger } from '#platform/logging/logger.js';
import { traceIdOf } from '#platform/logging/trace-context.js';
import { setAnswerHeader } from './answer.js';
import type { StreamFacts } from './event-stream.js';

/** The caller's own request id is used when it is harmless, so that a request can be followed through several services. */
export const REQUEST_ID_HEADER = 'X-Request-Id';
/** A request may bring one of this form. */
export const GIVEN_REQUEST_ID = /^[\w.:-]{1,100}$/;

interface ObservedRequest {
  readonly method: string;
  /** The pattern of the matched route; undefined when there is none. */
  readonly route: string | undefined;
  readonly status: number;
  /** False when the caller disconnected before the answer was sent. */
  readonly isAnswered: boolean;
  readonly ms: number;
}

export type ObserveRequest = (request: ObservedRequest) => void;

/** Express sets the route after a match, and `baseUrl` to the path of a mounted router. */
export function routeOf({ route, baseUrl }: Request): string | undefined {
  return route === undefined ? undefined : `${baseUrl}${route.path}`;
}

/** The authenticated caller, or the account that a login, right or wrong, is about. */
function accountIdOf({ user }: Request, { locals }: Response): number | undefined {
  const accountId: bigint | undefined = (user as Partial<Caller> | undefined)?.account?.accountId ?? locals.accountId;
  return accountId === undefined ? undefined : Number(accountId);
}

/** The ids by which a request is found in logs: its own and its trace's. */
export function requestFacts(response: Response): { readonly id: string; readonly trace_id?: string } {
  const { requestId, traceId } = response.locals;
  return { id: requestId, ...(traceId === undefined ? {} : { trace_id: traceId }) };
}

/** Logs one line a request, with its path but not its query, which may contain a token, and calls `observe`. */
export function accessLog(logger: Logger, observe?: ObserveRequest): RequestHandler {
  // Its fields are all named here and none is a secret, so the search for secrets, which costs as much as the rest of
  // the line, is left out.
  const lines = logger.child({}, { redact: [] });
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && GIVEN_REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    response.locals.requestId = id;
    setAnswerHeader(response, REQUEST_ID_HEADER, id);
    const { traceparent } = request.headers;
    if (traceparent !== undefined) response.locals.traceId = traceIdOf(traceparent);
    const { method, path } = request;
    response.on('close', () => {
      const stream: StreamFacts | undefined = response.locals.stream;
      // Most streams end with their reader, and how long they were open says nothing of the service.
      const isAnswered = response.writableFinished || stream !== undefined;
      const { statusCode: status } = response;
      const route = routeOf(request);
      const ms = performance.now() - startedAt;
      observe?.({ method, route, status, isAnswered, ms: stream?.openedMs ?? ms });
      if (isAnswered && !logger.isLevelEnabled('info')) return;
      const line = {
        id,
        trace_id: response.locals.traceId,
        method,
        path,
        route,
        status,
        ms: Math.round(ms * 100) / 100,
        account_id: accountIdOf(request, response),
      };
      if (stream !== undefined) lines.info({ ...line, frames: stream.frames, end: stream.end }, 'stream');
      else if (isAnswered) lines.info(line, 'request');
      else lines.warn(line, 'request ended before its answer was sent');
    });
    next();
  };
}
