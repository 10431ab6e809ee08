import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from '#platform/errors/refusal.js';
import type { Standing } from './request-limits.js';
import { createTurns } from './turns.js';

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
/** The name of a rule in metrics and documents, where `address` already names the limit over all routes. */
export const shownRule = (rule: RateLimitRule): string => (rule === 'address' ? 'route' : rule);

export const rateLimitOf = (rule: RateLimitRule) => ({
  requests: rules[rule].tries,
  windowSeconds: rules[rule].windowSeconds,
});

export type LimitedKey = readonly [rule: RateLimitRule, key: string];

/** The keys that a login with a password counts against. */
export const loginKeys = (email: string, address: string): [LimitedKey, LimitedKey] => [
  ['login-here', `${address} ${email}`],
  ['login-anywhere', email],
];

export interface RateLimits {
  /** Counts a try unless the limit is reached; undefined when limits are off. */
  take(rule: RateLimitRule, key: string): Promise<Standing | undefined>;
  /** Counts a try, or refuses with the time to wait. */
  count(rule: RateLimitRule, key: string): Promise<void>;
  /**
   * Runs a try of a secret, and counts it against all the keys if the secret was wrong: the try returns undefined or
   * throws a Refusal. Tries for the first key take turns, a few at a time, so that parallel guesses cannot bypass the
   * count while honest ones wait only a moment.
   */
  guess<Result>(keys: readonly [LimitedKey, ...LimitedKey[]], attempt: () => Promise<Result>): Promise<Result>;
}

export const unlimited: RateLimits = {
  take: async () => undefined,
  count: async () => undefined,
  guess: (_keys, attempt) => attempt(),
};

const TURNS_AT_ONCE = 4;
const TURNS_WAITING = 200;
const TURN_RETRY_SECONDS = 5;
/** After Redis fails or hangs, processes do not ask it for a while, so that not every request waits for it. */
const WITHOUT_REDIS_MS = 5_000;

const secondsLeft = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1_000));

/** Called for each refusal, for metrics. */
export type OnRefused = (rule: string) => void;

type WithLimiter = <Result>(
  rule: RateLimitRule,
  use: (limiter: RateLimiterAbstract) => Promise<Result>,
) => Promise<Result>;

/** Uses a rule's limiter in Redis, which all processes share; while Redis is away, the limiter of this process. */
function createLimiters(redis: Redis, prefix: string): WithLimiter {
  const limiters = new Map(
    Object.entries(rules).map(([name, { tries, windowSeconds }]) => {
      const common = { keyPrefix: `${prefix}:limit:${name}`, points: tries, duration: windowSeconds };
      const shared = new RateLimiterRedis({ ...common, storeClient: redis, rejectIfRedisNotReady: true });
      return [name, { shared, own: new RateLimiterMemory(common) }];
    }),
  );
  let withoutRedisUntilMs = 0;

  return async (rule, use) => {
    const { shared, own } = limiters.get(rule) as { shared: RateLimiterRedis; own: RateLimiterMemory };
    if (Date.now() < withoutRedisUntilMs) return use(own);
    try {
      return await use(shared);
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      withoutRedisUntilMs = Date.now() + WITHOUT_REDIS_MS;
      return use(own);
    }
  };
}

/** Redis must not learn who logs in from where. */
const hidden = (key: string) => createHash('sha256').update(key.toLowerCase()).digest('base64url');

export function createRateLimits(redis: Redis, prefix: string, onRefused: OnRefused = () => undefined): RateLimits {
  const withLimiter = createLimiters(redis, prefix);
  const turns = createTurns({ atOnce: TURNS_AT_ONCE, waiting: TURNS_WAITING });

  function refusal(rule: RateLimitRule, retryAfterSeconds: number): Refusal {
    onRefused(shownRule(rule));
    return new Refusal('rate-limited', { retryAfterSeconds });
  }

  async function take(rule: RateLimitRule, key: string): Promise<Standing> {
    try {
      const taken = await withLimiter(rule, (limiter) => limiter.consume(hidden(key)));
      return { allowed: true, remaining: taken.remainingPoints, resetSeconds: secondsLeft(taken) };
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return { allowed: false, remaining: 0, resetSeconds: secondsLeft(refused) };
    }
  }

  async function count(rule: RateLimitRule, key: string): Promise<void> {
    const { allowed, resetSeconds } = await take(rule, key);
    if (!allowed) throw refusal(rule, resetSeconds);
  }

  async function assertAllowed([rule, key]: LimitedKey): Promise<void> {
    const used = await withLimiter(rule, (limiter) => limiter.get(hidden(key)));
    if (used !== null && used.consumedPoints >= rules[rule].tries) throw refusal(rule, secondsLeft(used));
  }

  /** A penalty never refuses this try: the next one meets the limit. */
  const countWrong = (keys: readonly LimitedKey[]) =>
    Promise.all(keys.map(([rule, key]) => withLimiter(rule, (limiter) => limiter.penalty(hidden(key)))));

  return {
    take,
    count,
    guess(keys, attempt) {
      const [[, key]] = keys;
      return turns(hidden(key), TURN_RETRY_SECONDS, async () => {
        await Promise.all(keys.map(assertAllowed));
        try {
          const result = await attempt();
          if (result === undefined) await countWrong(keys);
          return result;
        } catch (error) {
          if (error instanceof Refusal) await countWrong(keys);
          throw error;
        }
      });
    },
  };
}
