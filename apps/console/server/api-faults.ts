import type { ErrorRequestHandler } from 'express';
import { sendJson } from '#http/answer.js';
import { ApiUnreachable } from './upstream.js';

const RETRY_SECONDS = 2;

/** Answers in the form of the API while it is down. Whether a request had an effect is then unknown. */
export const apiFaults: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof ApiUnreachable) || response.headersSent) return next(error);
  response.setHeader('Retry-After', String(RETRY_SECONDS));
  sendJson(response, 503, { status: 503, error: error.message });
};
