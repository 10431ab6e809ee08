import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { HttpError } from '#http/errors.js';
import { HOUR_MS } from '#platform/config/time-units.js';
import type { RedisClient } from '#platform/redis/redis.js';

// Sessions in Redis. A key of Redis is the hash of a session's id, and its value is encrypted with another key that is
// derived from the id. The id is in the browser's cookie alone, so what Redis holds opens no account.

/** A working day: a session ends then, used or not. */
const SESSION_MS = 8 * HOUR_MS;
const IDLE_MS = HOUR_MS / 2;

const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface StoredSession {
  /** The access token of the API. */
  readonly token: string;
  /** Who has logged in. */
  readonly operatorId?: number | undefined;
  readonly endsAtMs: number;
}

export interface FoundSession extends StoredSession {
  /** The time to its end, unless a person acts before. */
  readonly leftMs: number;
}

export interface SessionStore {
  /** Returns the id of a new session. */
  add(token: string, operatorId?: number): Promise<string>;
  /** The session of an id from a cookie. A use by a person postpones the end of an idle session. */
  use(id: string, byPerson: boolean): Promise<FoundSession | undefined>;
  remove(id: string): Promise<void>;
}

const cipherKey = (id: string) => Buffer.from(hkdfSync('sha256', id, '', 'console session', 32));

function encrypt(id: string, session: StoredSession): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKey(id), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(session)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

function decrypt(id: string, stored: string): StoredSession {
  const bytes = Buffer.from(stored, 'base64');
  const decipher = createDecipheriv(CIPHER, cipherKey(id), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString());
}

const unreachable = () => new HttpError(503, 'Redis is not reachable');

export function createSessionStore(redis: RedisClient, prefix: string, now: () => number = Date.now): SessionStore {
  const keyOf = (id: string) => `${prefix}:console:session:${createHash('sha256').update(id).digest('base64url')}`;
  const lifeMs = ({ endsAtMs }: StoredSession) => Math.min(IDLE_MS, endsAtMs - now());
  const asked = <Result>(question: Promise<Result>): Promise<Result> =>
    question.catch(() => {
      throw unreachable();
    });

  return {
    async add(token, operatorId) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      const session = { token, operatorId, endsAtMs: now() + SESSION_MS };
      await asked(redis.set(keyOf(id), encrypt(id, session), 'PX', lifeMs(session)));
      return id;
    },
    async use(id, byPerson) {
      if (!ID.test(id)) return undefined;
      const key = keyOf(id);
      const [stored, idleLeftMs] = await asked(Promise.all([redis.get(key), redis.pttl(key)]));
      if (stored === null) return undefined;
      const session = decrypt(id, stored);
      const lifeLeftMs = lifeMs(session);
      if (lifeLeftMs <= 0) return undefined;
      if (!byPerson) return { ...session, leftMs: Math.min(idleLeftMs, lifeLeftMs) };
      await asked(redis.pexpire(key, lifeLeftMs));
      return { ...session, leftMs: lifeLeftMs };
    },
    async remove(id) {
      if (ID.test(id)) await asked(redis.del(keyOf(id)));
    },
  };
}
