import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { CommitUnknown, isDatabaseUnavailable } from '#platform/database/errors.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Logger } from '#platform/logging/logger.js';
import { requestFacts } from './access-log.js';
import { sendJson, setAnswerHeader } from './answer.js';
import { answerOf, type ErrorAnswer, httpError, INTERNAL, setErrorHeaders } from './errors.js';
import { READING } from './methods.js';

const DATABASE_RETRY_SECONDS = 1;

/** The last handler: no route matched. */
export const unknownRoute: RequestHandler = () => {
  throw httpError('route-not-found');
};

/** Only a request that certainly had no effect may be repeated without looking first. */
function refusalFor(error: unknown, { method }: Request): Refusal {
  return error instanceof CommitUnknown && !READING.has(method)
    ? new Refusal('outcome-unknown')
    : new Refusal('database-unavailable', { retryAfterSeconds: DATABASE_RETRY_SECONDS });
}

/** Hears of each answer to an error. */
export type OnErrorAnswer = (
  request: Request,
  response: Response,
  answer: Pick<ErrorAnswer, 'status' | 'code'>,
) => void;

/** The one place where errors become answers. An unexpected error is logged in full and answered without details. */
export function errorHandler(logger: Logger, onRefused?: OnErrorAnswer): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    const unavailable = isDatabaseUnavailable(error);
    const known = unavailable ? refusalFor(error, request) : error;
    const found = answerOf(known);
    const answer = found ?? INTERNAL;
    if (unavailable) logger.error({ ...requestFacts(response), reason: String(error) }, 'database unavailable');
    if (found === undefined) logger.error({ ...requestFacts(response), err: error }, 'unexpected error');
    for (const [name, value] of Object.entries(answer.headers)) setAnswerHeader(response, name, value);
    setErrorHeaders(response, answer);
    sendJson(response, answer.status, answer.body);
    onRefused?.(request, response, answer);
  };
}
