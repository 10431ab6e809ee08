import { LedgerRefusal } from '#ledger/ledger.js';
import { Refusal, type RefusalKind } from '#platform/errors/refusal.js';
import { CursorFault } from '#reads/cursor.js';
import { ValidationError } from './validation.js';

/** Credentials are missing or wrong. The answer never says which. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

/** A refusal on the level of HTTP: unknown route, body too large, wrong content type. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export const bodyTooLarge = (maxBytes: number): HttpError =>
  new HttpError(413, `The request body must not be larger than ${maxBytes / 1_024} KiB`);

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const refusalStatus: Record<RefusalKind, number> = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  unprocessable: 422,
  'too-many': 429,
  unavailable: 503,
};

const domainAnswer = (
  status: number,
  error: string,
  { headers = {}, details = {} }: { headers?: Record<string, string>; details?: Refusal['details'] } = {},
): ErrorAnswer => ({ status, headers, body: { status, error, ...details } });

const validationAnswer = (faults: readonly string[]): ErrorAnswer => ({
  status: 400,
  headers: {},
  body: { message: faults, error: 'Bad Request', statusCode: 400 },
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
      return domainAnswer(413, bodyTooLarge(limit).message);
    case 'encoding.unsupported':
      return domainAnswer(415, 'The content encoding is not supported');
    case 'charset.unsupported':
      return domainAnswer(415, 'The charset is not supported');
    case 'request.aborted':
      return domainAnswer(400, 'The request ended too early');
    default:
      return domainAnswer(status, 'The request body cannot be read');
  }
}

/** The answer to an error. Undefined when the caller did not cause it: the handler then answers 500 without details. */
export function answerOf(error: unknown): ErrorAnswer | undefined {
  if (error instanceof ValidationError) return validationAnswer(error.faults);
  if (error instanceof CursorFault) return validationAnswer([error.message]);
  if (error instanceof Unauthorized) {
    return {
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer' },
      body: { message: 'Unauthorized', statusCode: 401 },
    };
  }
  if (error instanceof Refusal) {
    const wait = error.retryAfterSeconds;
    return domainAnswer(refusalStatus[error.kind], error.message, {
      headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
      details: error.details,
    });
  }
  if (error instanceof LedgerRefusal) return domainAnswer(refusalStatus[error.kind], error.message);
  if (error instanceof HttpError) return domainAnswer(error.status, error.message);
  if (error instanceof URIError) return domainAnswer(400, 'The path is not properly percent-encoded');
  if (isBodyParserError(error)) return bodyParserAnswer(error);
  return undefined;
}
