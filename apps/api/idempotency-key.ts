import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import { sendJsonText, setAnswerHeader } from '#http/answer.js';
import type { OnErrorAnswer } from '#http/error-handler.js';
import { answerOf, type CodedError, type ErrorCode, setErrorHeaders } from '#http/errors.js';
import type { IdempotencyContext } from '#idempotency/idempotency.js';
import type { HttpAnswer } from '#idempotency/stored-answers.js';
import { Refusal, type RefusalCode } from '#platform/errors/refusal.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import { canonicalText } from './canonical-body.js';

export const KEY_HEADER = 'Idempotency-Key';
export const KEY_FAULT = `${KEY_HEADER} must be 1 to 255 printable characters`;
export const REPLAYED_HEADER = 'Idempotent-Replayed';

export const LOWERED_KEY_HEADER = KEY_HEADER.toLowerCase();
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
/** The request itself did not cause these: a retry may succeed, so they are not stored. 401: its credential has just ended. */
const PASSING_STATUSES = [401, 429, 503];
const REFUSED = 400;
const NOT_ABOUT_THE_REQUEST: readonly RefusalCode[] = ['key-reused', 'password-needed'];

/**
 * Whether the endpoint takes an Idempotency-Key: keys belong to an account, and neither a secret nor its hash is stored
 * with an answer. A request that is repeatable needs none.
 */
export const acceptsIdempotencyKey = (endpoint: {
  readonly method: string;
  readonly access: string;
  readonly carriesSecret?: boolean;
  readonly isRepeatable?: boolean;
}): boolean =>
  endpoint.method !== 'get' &&
  endpoint.access !== 'public' &&
  endpoint.carriesSecret !== true &&
  endpoint.isRepeatable !== true;

function answerToError(error: unknown): HttpAnswer | undefined {
  const answer = answerOf(error);
  if (answer === undefined || PASSING_STATUSES.includes(answer.status)) return undefined;
  // These are about the key and the password; they are not the answer to the request that the key stands for.
  if (error instanceof Refusal && NOT_ABOUT_THE_REQUEST.includes(error.code)) return undefined;
  const { status, body, code = null, operationId = null } = answer;
  return { status, body: JSON.stringify(body), errorCode: code, errorOperation: operationId };
}

/** That an account may ask for. Most bodies have none, and need no copy. */
function withoutPassword(body: Record<string, unknown>): Record<string, unknown> {
  if (body.password === undefined) return body;
  const { password: _, ...rest } = body;
  return rest;
}

/** A request that changes fields sets one to null. */
const CHANGES: ReadonlySet<string> = new Set(['PATCH', 'PUT']);

/** The hash of what a request means, and that of what it says, which answers of earlier releases are stored with. */
function hashesOf({ method, url, body }: Request): Pick<IdempotencyContext, 'requestHash' | 'formerHash'> {
  const hashed = withoutPassword((body ?? {}) as Record<string, unknown>);
  const hashOf = (text: string) => hash('sha256', `${method} ${url} ${text}`, 'base64');
  return {
    requestHash: hashOf(canonicalText(hashed, { areAbsent: !CHANGES.has(method) })),
    formerHash: () => hashOf(JSON.stringify(hashed)),
  };
}

/** Of a request that names a key. `status` is that of a success. */
export function idempotencyOf(request: Request, status: number): IdempotencyContext {
  const key = request.headers[LOWERED_KEY_HEADER];
  if (typeof key !== 'string' || !PRINTABLE.test(key)) throw new ValidationError([KEY_FAULT]);
  const { accountId } = (request.user as Caller).account;
  return { accountId, key, ...hashesOf(request), status, answerToError };
}

/** A stored refusal. */
const refusedAs = ({ status, errorCode, errorOperation }: HttpAnswer): CodedError & { status: number } => ({
  status,
  code: (errorCode ?? undefined) as ErrorCode | undefined,
  operationId: errorOperation ?? undefined,
});

interface Replay {
  readonly answer: HttpAnswer;
  readonly onRefused: OnErrorAnswer;
}

export function replay(request: Request, response: Response, { answer, onRefused }: Replay): void {
  const { status, body } = answer;
  setAnswerHeader(response, REPLAYED_HEADER, 'true');
  setErrorHeaders(response, refusedAs(answer));
  sendJsonText(response, status, body);
  if (status >= REFUSED) onRefused(request, response, refusedAs(answer));
}
