import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import type { Logger } from '#platform/logging/logger.js';
import { traceIdOf } from '#platform/tracing/trace-context.js';

/** An id of the caller's own is kept when it is harmless, so that it can be followed through several services. */
const GIVEN_ID = /^[\w.:-]{1,100}$/;

export interface ObservedRequest {
  readonly method: string;
  /** The pattern of the route that answered; undefined when there is none. */
  readonly route: string | undefined;
  readonly status: number;
  /** False: the caller had gone before the answer was sent. */
  readonly isAnswered: boolean;
  readonly ms: number;
}

export type ObserveRequest = (request: ObservedRequest) => void;

/** Express sets the route when one has matched; a router that is mounted somewhere knows where. */
function routeOf({ route, baseUrl }: Request): string | undefined {
  return route === undefined ? undefined : `${baseUrl}${route.path}`;
}

/** Who proved to be calling, when it was asked. */
function accountIdOf({ user }: Request): number | undefined {
  const accountId = (user as Partial<Caller> | undefined)?.account?.accountId;
  return accountId === undefined ? undefined : Number(accountId);
}

/** By what a request is found again: its own id, and that of the trace it belongs to. */
export function requestFacts(response: Response): { readonly id: string; readonly trace_id?: string } {
  const { requestId, traceId } = response.locals;
  return { id: requestId, ...(traceId === undefined ? {} : { trace_id: traceId }) };
}

/** One line a request, with its id; the path without its query, which may carry a token. `observe` is told the same. */
export function requestLog(logger: Logger, observe?: ObserveRequest): RequestHandler {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    const { traceparent } = request.headers;
    if (traceparent !== undefined) response.locals.traceId = traceIdOf(traceparent);
    const { method, path } = request;
    response.on('close', () => {
      const isAnswered = response.writableFinished;
      const { statusCode: status } = response;
      const route = routeOf(request);
      const ms = performance.now() - startedAt;
      observe?.({ method, route, status, isAnswered, ms });
      if (isAnswered && !logger.isLevelEnabled('info')) return;
      const line = {
        ...requestFacts(response),
        method,
        path,
        route,
        status,
        ms: Math.round(ms * 100) / 100,
        account_id: accountIdOf(request),
      };
      if (isAnswered) logger.info(line, 'request');
      else logger.warn(line, 'request ended before its answer was sent');
    });
    next();
  };
}
