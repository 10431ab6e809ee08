import { hash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import { type Cause, UNKNOWN_ACTOR } from '#accounts/events/account-event.js';
import { actorOfCaller } from '#accounts/events/caller-actor.js';
import { type EventCause, storedActor, UNKNOWN_CAUSE } from '#events/event-cause.js';
import { sendJsonText, setAnswerHeader } from '#http/answer.js';
import { answerOf } from '#http/errors.js';
import type { IdempotencyContext } from '#idempotency/idempotency.js';
import type { HttpAnswer } from '#idempotency/stored-answers.js';
import type { Deadline } from '#ledger/lanes.js';
import { Refusal, type RefusalCode } from '#platform/errors/refusal.js';
import { ValidationError } from '#platform/errors/validation-error.js';

/** A lane drops a late task before the request itself is given up, so that its caller learns that nothing was done. */
const LANE_MARGIN = 0.95;
const RETRY_AFTER_SECONDS = 1;

interface WithArrival {
  arrivedAt: number;
}

/** The deadline counts from here: a request may wait in its guards as well. */
export const noteArrival: RequestHandler = (_request, response, next) => {
  (response.locals as WithArrival).arrivedAt = performance.now();
  next();
};

const endOf = (response: Response, deadlineMs: number): number =>
  (response.locals as WithArrival).arrivedAt + deadlineMs;

const isGone = (response: Response): boolean => response.closed || response.writableEnded;

export const deadlineOf = (response: Response, deadlineMs: number): Deadline => ({
  at: endOf(response, deadlineMs * LANE_MARGIN),
  isGone: () => isGone(response),
});

/** A read whose caller is gone, or has no more time, is not run, or not run further. */
export function assertWanted({ at, isGone: isCallerGone }: Deadline): void {
  if (isCallerGone() || performance.now() >= at)
    throw new Refusal('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

export interface TimeLimit {
  readonly deadlineMs: number;
  /** Whether the work changes nothing. */
  readonly isRead: boolean;
}

/** Refuses after the deadline. The work goes on; when it changes data, the caller must look whether it was done. */
export function inTime<Result>(
  response: Response,
  work: Promise<Result>,
  { deadlineMs, isRead }: TimeLimit,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const refusal = isRead
        ? new Refusal('database-unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS })
        : new Refusal('outcome-unknown');
      reject(refusal);
    }, endOf(response, deadlineMs) - performance.now());
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

// Who sent it.

export function causeOf(request: Request, response: Response, isAdmin: boolean): Cause {
  const caller = request.user as Caller | undefined;
  return {
    actor: caller === undefined ? UNKNOWN_ACTOR : actorOfCaller(caller, isAdmin),
    address: request.ip ?? null,
    requestId: response.locals.requestId ?? null,
  };
}

/** The same for the event log, which names accounts and keys by their ids. */
export function eventCauseOfCall(request: Request, response: Response, isAdmin: boolean): EventCause {
  const caller = request.user as Caller | undefined;
  const requestId: string | null = response.locals.requestId ?? null;
  if (caller === undefined) return { ...UNKNOWN_CAUSE, requestId };
  const { accountId } = caller.account;
  return { actor: storedActor(isAdmin ? 'admin' : 'account', { accountId, apiKeyId: caller.apiKey?.id }), requestId };
}

// Its Idempotency-Key.

export const KEY_HEADER = 'Idempotency-Key';
export const KEY_FAULT = `${KEY_HEADER} must be 1 to 255 printable characters`;
export const REPLAYED_HEADER = 'Idempotent-Replayed';

const LOWERED_KEY_HEADER = KEY_HEADER.toLowerCase();
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
/** The request itself did not cause these: a retry may succeed, so they are not stored. 401: its credential has just ended. */
const PASSING_STATUSES = [401, 429, 503];
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
  return { status: answer.status, body: JSON.stringify(answer.body) };
}

/** Without the password that an account may ask for. */
function hashOf({ method, originalUrl, body }: Request): string {
  const { password: _, ...hashed } = (body ?? {}) as Record<string, unknown>;
  return hash('sha256', `${method} ${originalUrl} ${JSON.stringify(hashed)}`, 'base64');
}

/** Undefined when the request names no key. `status` is that of a success. */
export function idempotencyOf(request: Request, status: number): IdempotencyContext | undefined {
  const key = request.headers[LOWERED_KEY_HEADER];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !PRINTABLE.test(key)) throw new ValidationError([KEY_FAULT]);
  const { accountId } = (request.user as Caller).account;
  return { accountId, key, requestHash: hashOf(request), status, answerToError };
}

export function replay(response: Response, { status, body }: HttpAnswer): void {
  setAnswerHeader(response, REPLAYED_HEADER, 'true');
  sendJsonText(response, status, body);
}
