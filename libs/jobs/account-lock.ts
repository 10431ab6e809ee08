import { randomBytes } from 'node:crypto';
import type { RedisClient } from '#platform/redis/redis.js';

// Only one background job of an account runs at a time, so that jobs do not wait for each other's rows. Correctness does
// not depend on the lock: the rows say what is done, so two holders (after a stall, or with Redis emptied) repeat nothing.

const LIFE_MS = 6_000;
const RENEW_EVERY_MS = 2_000;
/** Longer than a rejected job waits before it tries again. */
const WANTED_FOR_MS = 500;

/** The token in the key proves who holds the lock: only the holder may renew or release it. */
const RENEW = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`;
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

export interface AccountLocks {
  /** Runs the work while it holds the account's lock; returns undefined without running it when another job has it. */
  tryHolding<Result>(accountId: bigint, work: () => Promise<Result>): Promise<Result | undefined>;
  /** Whether another job was rejected a moment ago. Asking clears the mark. */
  isWanted(accountId: bigint): Promise<boolean>;
}

export interface AccountLocksOptions {
  /** A connection whose commands fail at once without Redis. */
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly lifeMs?: number;
  readonly renewEveryMs?: number;
}

export function createAccountLocks(options: AccountLocksOptions): AccountLocks {
  const { redis, prefix, lifeMs = LIFE_MS, renewEveryMs = RENEW_EVERY_MS } = options;
  const keyOf = (accountId: bigint) => `${prefix}:account-lock:${accountId}`;
  const wantedKeyOf = (accountId: bigint) => `${keyOf(accountId)}:wanted`;

  return {
    async tryHolding(accountId, work) {
      const key = keyOf(accountId);
      const token = randomBytes(16).toString('hex');
      // Without Redis the work runs without the lock.
      const taken = await redis.set(key, token, 'PX', lifeMs, 'NX').catch(() => 'OK' as const);
      if (taken === null) {
        await redis.set(wantedKeyOf(accountId), '1', 'PX', WANTED_FOR_MS).catch(() => undefined);
        return undefined;
      }
      // A lock that cannot be renewed or released expires.
      const quietly = (script: string, ...more: number[]) =>
        redis.eval(script, 1, key, token, ...more).catch(() => undefined);
      const renewal = setInterval(() => void quietly(RENEW, lifeMs), renewEveryMs);
      try {
        return await work();
      } finally {
        clearInterval(renewal);
        await quietly(RELEASE);
      }
    },
    isWanted: async (accountId) => (await redis.del(wantedKeyOf(accountId)).catch(() => 0)) === 1,
  };
}
