import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { CommitUnknown, isDatabaseUnavailable } from '#platform/database/errors.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Logger } from '#platform/logging/logger.js';
import { sendJson, setAnswerHeader } from './answer.js';
import { answerOf, HttpError } from './errors.js';
import { READING } from './methods.js';
import { requestFacts } from './request-log.js';

const DATABASE_RETRY_SECONDS = 1;

/** The last handler: no route matched. */
export const unknownRoute: RequestHandler = () => {
  throw new HttpError(404, 'There is no such route');
};

/** Only a request that certainly had no effect may be repeated without looking first. */
function refusalFor(error: unknown, { method }: Request): Refusal {
  return error instanceof CommitUnknown && !READING.has(method)
    ? new Refusal('outcome-unknown')
    : new Refusal('database-unavailable', { retryAfterSeconds: DATABASE_RETRY_SECONDS });
}

/** The one place where errors become answers. An unexpected error is logged in full and answered without details. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    const unavailable = isDatabaseUnavailable(error);
    const known = unavailable ? refusalFor(error, request) : error;
    const answer = answerOf(known);
    if (unavailable) logger.error({ ...requestFacts(response), reason: String(error) }, 'database unavailable');
    if (answer === undefined) {
      logger.error({ ...requestFacts(response), err: error }, 'unexpected error');
      sendJson(response, 500, { status: 500, error: 'Internal server error' });
      return;
    }
    for (const [name, value] of Object.entries(answer.headers)) setAnswerHeader(response, name, value);
    sendJson(response, answer.status, answer.body);
  };
}
