import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';

// Keeps the background jobs of one account apart, so that they do not wait for each other's rows. Nothing rests on it:
// the rows say what is done, so two holders at once, after a stall or an emptied Redis, move nothing twice.

const LIFE_MS = 6_000;
const RENEW_EVERY_MS = 2_000;

/** Only the holder may: the token in the key tells. */
const RENEW = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`;
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

export interface AccountLocks {
  /** Runs the work while the account is held; undefined, without running it, when somebody else holds it. */
  tryHolding<Result>(accountId: bigint, work: () => Promise<Result>): Promise<Result | undefined>;
}

export interface AccountLocksOptions {
  /** A connection whose commands fail at once without Redis. */
  readonly redis: Redis;
  readonly prefix: string;
  readonly lifeMs?: number;
  readonly renewEveryMs?: number;
}

export function createAccountLocks(options: AccountLocksOptions): AccountLocks {
  const { redis, prefix, lifeMs = LIFE_MS, renewEveryMs = RENEW_EVERY_MS } = options;

  return {
    async tryHolding(accountId, work) {
      const key = `${prefix}:account-lock:${accountId}`;
      const token = randomBytes(16).toString('hex');
      // Without Redis the work is done all the same.
      const taken = await redis.set(key, token, 'PX', lifeMs, 'NX').catch(() => 'OK' as const);
      if (taken === null) return undefined;
      // What cannot be renewed or released runs out by itself.
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
  };
}
