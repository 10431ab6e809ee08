import type { Response } from 'express';
import { KnownRefusal, type RefusalKind } from '#platform/errors/refusal.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import { setAnswerHeader } from './answer.js';
import { type HttpRefusalCode, httpRefusals } from './http-refusals.js';

/** Credentials are missing or wrong. The answer never says which. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

/** A refusal on the level of HTTP: unknown route, body too large, wrong content type. Those of the console have no code. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(
    readonly status: number,
    message: string,
    readonly code?: HttpRefusalCode,
  ) {
    super(message);
  }
}

/** A refusal of the API on the level of HTTP. */
export const httpError = (code: HttpRefusalCode, text: string = httpRefusals[code][1]): HttpError =>
  new HttpError(httpRefusals[code][0], text, code);

export const bodyTooLarge = (maxBytes: number): HttpError =>
  httpError('too-large', `The request body must not be larger than ${maxBytes / 1_024} KiB`);

export type ErrorCode = HttpRefusalCode | KnownRefusal['code'];

/** What programs tell refusals apart by. */
export interface CodedError {
  readonly code: ErrorCode | undefined;
  /** The operation of a batch that is refused. */
  readonly operationId?: string | undefined;
}

export interface ErrorAnswer extends CodedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export const refusalStatus: Record<RefusalKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  unprocessable: 422,
  'too-many': 429,
  unavailable: 503,
};

const domainAnswer = (status: number, error: string, code: ErrorCode | undefined): ErrorAnswer => ({
  status,
  code,
  headers: {},
  body: { status, error },
});

const UNAUTHORIZED = 401;

function knownAnswer({
  kind,
  message,
  code,
  operationId,
  details,
  retryAfterSeconds: wait,
}: KnownRefusal): ErrorAnswer {
  const status = refusalStatus[kind];
  const headers = {
    ...(status === UNAUTHORIZED && { 'WWW-Authenticate': 'Bearer' }),
    ...(wait !== undefined && { 'Retry-After': String(wait) }),
  };
  return { status, code, operationId, headers, body: { status, error: message, ...details } };
}

/** A batch may have some hundreds; a body of unknown names tens of thousands. */
export const MAX_FAULTS = 500;

/** More faults are only counted. */
export const shortened = (faults: readonly string[], most: number): string[] =>
  faults.length <= most ? [...faults] : [...faults.slice(0, most), `and ${faults.length - most} more faults`];

const validationAnswer = (faults: readonly string[], operationId?: string): ErrorAnswer => ({
  status: 400,
  code: 'malformed',
  operationId,
  headers: {},
  body: { message: shortened(faults, MAX_FAULTS), error: 'Bad Request', statusCode: 400 },
});

interface BodyParserError {
  readonly type?: string;
  readonly status: number;
  /** In bytes, of a body that is too large. */
  readonly limit?: number;
}

/** Errors of Express and its body parser have a status; below 500 the caller caused them. */
const isBodyParserError = (error: unknown): error is BodyParserError =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500;

function bodyParserAnswer({ type, status, limit = 0 }: BodyParserError): ErrorAnswer {
  switch (type) {
    case 'entity.parse.failed':
      return validationAnswer(['body must be valid JSON']);
    case 'entity.too.large':
      return httpAnswer(bodyTooLarge(limit));
    case 'encoding.unsupported':
      return httpAnswer(httpError('encoding-unsupported'));
    case 'charset.unsupported':
      return httpAnswer(httpError('charset-unsupported'));
    case 'request.aborted':
      return httpAnswer(endedTooEarly());
    default:
      return domainAnswer(status, httpError('body-unreadable').message, 'body-unreadable');
  }
}

export const endedTooEarly = (): HttpError => httpError('body-unreadable', 'The request ended too early');

const httpAnswer = ({ status, message, code }: HttpError): ErrorAnswer => domainAnswer(status, message, code);

/** The answer to an error that the caller did not cause. */
export const INTERNAL: ErrorAnswer = httpAnswer(httpError('internal-error'));

/** The answer to an error. Undefined when the caller did not cause it: the handler then answers 500 without details. */
export function answerOf(error: unknown): ErrorAnswer | undefined {
  if (error instanceof ValidationError) return validationAnswer(error.faults, error.operationId);
  if (error instanceof Unauthorized) {
    return {
      status: 401,
      code: 'unauthorized',
      headers: { 'WWW-Authenticate': 'Bearer' },
      body: { message: 'Unauthorized', statusCode: 401 },
    };
  }
  if (error instanceof KnownRefusal) return knownAnswer(error);
  if (error instanceof HttpError) return httpAnswer(error);
  if (error instanceof URIError) return httpAnswer(httpError('path-encoding'));
  if (isBodyParserError(error)) return bodyParserAnswer(error);
  return undefined;
}

export const ERROR_HEADER = 'Ledger-Error';
export const ERROR_OPERATION_HEADER = 'Ledger-Error-Operation';

/** A header holds visible ASCII. A percent sign is encoded too: what comes back is decoded. */
const NOT_PLAIN = /[^\x21-\x7e]|%/gu;

/** Names the refusal, and the operation of a batch that is refused. */
export function setErrorHeaders(response: Response, { code, operationId }: CodedError): void {
  if (code !== undefined) setAnswerHeader(response, ERROR_HEADER, code);
  if (operationId === undefined) return;
  setAnswerHeader(response, ERROR_OPERATION_HEADER, operationId.replace(NOT_PLAIN, encodeURIComponent));
}
