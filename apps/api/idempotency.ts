import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import { answerOf } from '#http/errors.js';
import { ValidationError } from '#http/validation.js';
import { type Keeping, type KeptAnswer, Replayed } from '#idempotency/kept-answers.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Endpoint } from './endpoint.js';

export const KEY_HEADER = 'Idempotency-Key';
export const KEY_FAULT = `${KEY_HEADER} must be 1 to 255 printable characters`;
export const REPLAYED_HEADER = 'Idempotent-Replayed';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const RUNNING_RETRY_SECONDS = 1;
/** Not decided by the request itself: trying again is right. */
const PASSING_STATUSES = [429, 503];

/**
 * Whether answers of the endpoint are kept. None without an account, for keys belong to one; none where request or
 * answer carries a secret, for neither a secret nor its hash is stored.
 */
export const keepsAnswers = ({ method, access, carriesSecret = false }: Endpoint): boolean =>
  method !== 'get' && access !== 'public' && !carriesSecret;

function refused(error: unknown): KeptAnswer | undefined {
  if (error instanceof Replayed) return undefined;
  const answer = answerOf(error);
  if (answer === undefined || PASSING_STATUSES.includes(answer.status)) return undefined;
  // Said about the key, not by what the key stands for.
  if (error instanceof Refusal && error.code === 'key-reused') return undefined;
  return { status: answer.status, body: JSON.stringify(answer.body) };
}

function hashOf({ method, originalUrl, body }: Request): string {
  const hash = createHash('sha256');
  return hash.update(`${method} ${originalUrl} ${JSON.stringify(body ?? {})}`).digest('base64');
}

/** What a request with a key is kept by; undefined when it has none. */
export function keepingOf(request: Request, { status }: Endpoint): Keeping | undefined {
  const key = request.get(KEY_HEADER);
  if (key === undefined) return undefined;
  if (!PRINTABLE.test(key)) throw new ValidationError([KEY_FAULT]);
  const { accountId } = (request.user as Caller).account;
  return { accountId, key, requestHash: hashOf(request), status, refused };
}

export interface KeysInUse {
  /** Runs the request, unless one with its key is running in this process. */
  use<Result>(keeping: Keeping, run: () => Promise<Result>): Promise<Result>;
}

/** Two of one key in different processes meet in the database: the later one finds the answer of the first. */
export function createKeysInUse(): KeysInUse {
  const inUse = new Set<string>();
  return {
    async use({ accountId, key }, run) {
      const name = `${accountId} ${key}`;
      if (inUse.has(name)) throw new Refusal('key-in-use', { retryAfterSeconds: RUNNING_RETRY_SECONDS });
      inUse.add(name);
      try {
        return await run();
      } finally {
        inUse.delete(name);
      }
    },
  };
}

export function replay(response: Response, { status, body }: KeptAnswer): void {
  response.status(status).set(REPLAYED_HEADER, 'true').type('json').send(body);
}
