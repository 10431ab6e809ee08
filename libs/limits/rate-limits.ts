import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from '#refusals/refusal.js';

interface Rule {
  readonly tries: number;
  readonly windowSeconds: number;
}

/**
 * How often passwords and codes may be tried. Generous for people and for a business's own servers, which share an
 * address; hopeless for guessing. An e-mail's limits are the same whether or not it belongs to an account.
 */
const rules = {
  /** Every route that takes a password or a code, or sends a mail: each address, each route. */
  address: { tries: 300, windowSeconds: 60 },
  /** Wrong passwords for one e-mail from one address. */
  'login-here': { tries: 20, windowSeconds: 900 },
  /** The same from everywhere: higher, so that a stranger cannot easily lock the owner out. */
  'login-anywhere': { tries: 200, windowSeconds: 3_600 },
  'current-password': { tries: 20, windowSeconds: 900 },
  'reset-code': { tries: 30, windowSeconds: 3_600 },
  'reset-mail': { tries: 60, windowSeconds: 3_600 },
  'verification-mail': { tries: 30, windowSeconds: 3_600 },
} as const satisfies Record<string, Rule>;

export type RateLimitRule = keyof typeof rules;

export interface RateLimits {
  /** Counts a try, or refuses with the time to wait. */
  count(rule: RateLimitRule, key: string): Promise<void>;
  /** Takes a counted try back: it was rightful. */
  forgive(rule: RateLimitRule, key: string): Promise<void>;
}

export const unlimited: RateLimits = { count: async () => undefined, forgive: async () => undefined };

function secondsToWait(result: RateLimiterRes): number {
  return Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
}

/** Counts in Redis, for all processes together; while Redis is gone, each process counts for itself. */
export function createRateLimits(redis: Redis, prefix: string): RateLimits {
  const limiters = new Map(
    Object.entries(rules).map(([name, { tries, windowSeconds }]) => {
      const common = { keyPrefix: `${prefix}:limit:${name}`, points: tries, duration: windowSeconds };
      return [
        name,
        new RateLimiterRedis({
          ...common,
          storeClient: redis,
          rejectIfRedisNotReady: true,
          insuranceLimiter: new RateLimiterMemory(common),
        }),
      ];
    }),
  );
  const limiterOf = (rule: RateLimitRule) => limiters.get(rule) as RateLimiterRedis;
  // Redis shall not learn who logs in from where.
  const hidden = (key: string) => createHash('sha256').update(key.toLowerCase()).digest('base64url');

  return {
    async count(rule, key) {
      try {
        await limiterOf(rule).consume(hidden(key));
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw new Refusal('rate-limited', { retryAfterSeconds: secondsToWait(refused) });
      }
    },
    async forgive(rule, key) {
      await limiterOf(rule).reward(hidden(key));
    },
  };
}
