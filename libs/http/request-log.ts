import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from '#logging/logger.js';

/** An id of the caller's own is kept when it is harmless, so that it can be followed through several services. */
const GIVEN_ID = /^[\w.:-]{1,100}$/;

/** One line a request, with its id; the path without its query, which may carry a token. */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    const { method, path } = request;
    response.on('close', () => {
      if (response.writableFinished && !logger.isLevelEnabled('info')) return;
      const ms = Math.round((performance.now() - startedAt) * 100) / 100;
      const line = { id, method, path, status: response.statusCode, ms };
      if (response.writableFinished) logger.info(line, 'request');
      else logger.warn(line, 'request ended before its answer was sent');
    });
    next();
  };
}
