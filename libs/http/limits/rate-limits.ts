import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { type RequestLimit, usualRegistrationLimit } from '#platform/config/limit-setting.js';
import { Refusal, type RefusalCode } from '#platform/errors/refusal.js';
import type { RedisClient } from '#platform/redis/redis.js';
import { networkOf } from './network.js';
import type { Standing } from './request-limits.js';
import { createTurns } from './turns.js';

/**
 * How often passwords and codes may be tried. Generous for people and for a business's own servers, which share an
 * address; hopeless for guessing. An e-mail's limits are the same whether or not it belongs to an account. An address
 * counts as its network (`networkOf`).
 */
const rules = {
  /** Every route that takes a password or a code, or sends a mail: each address, each route. */
  address: { requests: 300, windowSeconds: 60 },
  /** Registrations from one address: each costs a hash and sends a mail to an address that may be a stranger's. */
  registration: usualRegistrationLimit,
  /**
   * Wrong passwords for one e-mail from one address, and from everywhere: higher, so that a stranger cannot easily lock
   * the owner out. Reset codes and their mails have the same two limits.
   */
  'login-here': { requests: 20, windowSeconds: 900 },
  'login-anywhere': { requests: 200, windowSeconds: 3_600 },
  'current-password': { requests: 20, windowSeconds: 900 },
  'reset-code-here': { requests: 30, windowSeconds: 3_600 },
  'reset-code-anywhere': { requests: 300, windowSeconds: 3_600 },
  'reset-mail-here': { requests: 60, windowSeconds: 3_600 },
  'reset-mail-anywhere': { requests: 300, windowSeconds: 3_600 },
  'verification-mail': { requests: 30, windowSeconds: 3_600 },
  /** New keys of one account: each sends a mail, perhaps to an address that is not its own. */
  'api-key': { requests: 60, windowSeconds: 3_600 },
} as const satisfies Record<string, RequestLimit>;

export type RateLimitRule = keyof typeof rules;
/** The name of a rule in metrics and documents, where `address` already names the limit over all routes. */
export const shownRule = (rule: RateLimitRule): string => (rule === 'address' ? 'route' : rule);

/** The limit of a rule unless the configuration sets another. */
export const rateLimitOf = (rule: RateLimitRule): RequestLimit => rules[rule];

export type LimitedKey = readonly [rule: RateLimitRule, key: string];

/** What wrong tries of a secret count against. */
export interface GuessKeys {
  /** Tries from here take turns. */
  readonly from: string;
  readonly keys: readonly LimitedKey[];
}

type Tiers = readonly [here: RateLimitRule, anywhere: RateLimitRule];

const keysOf = ([here, anywhere]: Tiers, email: string, address: string): GuessKeys => {
  const from = networkOf(address);
  return {
    from,
    keys: [
      [here, `${from} ${email}`],
      [anywhere, email],
    ],
  };
};

export const loginKeys = (email: string, address: string) => keysOf(['login-here', 'login-anywhere'], email, address);
export const resetCodeKeys = (email: string, address: string) =>
  keysOf(['reset-code-here', 'reset-code-anywhere'], email, address);
export const resetMailKeys = (email: string, address: string) =>
  keysOf(['reset-mail-here', 'reset-mail-anywhere'], email, address);
export const currentPasswordKeys = (accountId: bigint): GuessKeys => ({
  from: String(accountId),
  keys: [['current-password', String(accountId)]],
});

/** The refusals that say that a secret was wrong. Any other one, such as of an overloaded server, is no guess. */
const WRONG_SECRET: readonly RefusalCode[] = ['current-password-wrong', 'reset-code-invalid'];

export interface RateLimits {
  /** Counts a try unless the limit is reached; undefined when limits are off. */
  take(rule: RateLimitRule, key: string): Promise<Standing | undefined>;
  /** The limit of a rule, as configured; undefined when it is off. */
  limitOf(rule: RateLimitRule): RequestLimit | undefined;
  /** Counts a try, or refuses with the time to wait. */
  count(rule: RateLimitRule, key: string): Promise<void>;
  /**
   * Runs a try of a secret, and counts it against all the keys if the secret was wrong: the try returns undefined or
   * throws the refusal of a wrong secret. Tries from one place take turns, a few at a time. So parallel guesses cannot
   * bypass the count while honest ones wait only a moment, and one network cannot fill the queue of password hashes.
   */
  guess<Result>(guessed: GuessKeys, attempt: () => Promise<Result>): Promise<Result>;
}

export const unlimited: RateLimits = {
  take: async () => undefined,
  count: async () => undefined,
  limitOf: () => undefined,
  guess: (_guessed, attempt) => attempt(),
};

const TURNS_AT_ONCE = 4;
const TURNS_WAITING = 200;
/** Then there is time left for the attempt itself before the usual deadline of a request. */
const TURN_WAIT_MS = 5_000;
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

type LimitOf = (rule: RateLimitRule) => RequestLimit | undefined;

/** Uses a rule's limiter in Redis, which all processes share; while Redis is away, the limiter of this process. */
function createLimiters(redis: RedisClient, prefix: string, limitOf: LimitOf): WithLimiter {
  const limiters = new Map(
    Object.keys(rules).map((name) => {
      const { requests, windowSeconds } = limitOf(name as RateLimitRule) ?? rules[name as RateLimitRule];
      const common = { keyPrefix: `${prefix}:limit:${name}`, points: requests, duration: windowSeconds };
      const shared = new RateLimiterRedis({
        ...common,
        storeClient: redis,
        rejectIfRedisNotReady: true,
        // A flood from one address is refused without a question to Redis.
        inMemoryBlockOnConsumed: requests,
      });
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

interface LimitOverrides {
  /** Undefined: registrations are not limited. */
  readonly registration: RequestLimit | undefined;
}

export function createRateLimits(
  redis: RedisClient,
  prefix: string,
  onRefused: OnRefused = () => undefined,
  { registration }: LimitOverrides = { registration: rules.registration },
): RateLimits {
  const limitOf: LimitOf = (rule) => (rule === 'registration' ? registration : rules[rule]);
  const withLimiter = createLimiters(redis, prefix, limitOf);
  const turns = createTurns({ atOnce: TURNS_AT_ONCE, waiting: TURNS_WAITING, waitMs: TURN_WAIT_MS });

  function refusal(rule: RateLimitRule, retryAfterSeconds: number): Refusal {
    onRefused(shownRule(rule));
    return new Refusal('rate-limited', { retryAfterSeconds });
  }

  async function take(rule: RateLimitRule, key: string): Promise<Standing | undefined> {
    if (limitOf(rule) === undefined) return undefined;
    try {
      const taken = await withLimiter(rule, (limiter) => limiter.consume(hidden(key)));
      return { allowed: true, remaining: taken.remainingPoints, resetSeconds: secondsLeft(taken) };
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return { allowed: false, remaining: 0, resetSeconds: secondsLeft(refused) };
    }
  }

  async function assertAllowed([rule, key]: LimitedKey): Promise<void> {
    const used = await withLimiter(rule, (limiter) => limiter.get(hidden(key)));
    if (used !== null && used.consumedPoints >= rules[rule].requests) throw refusal(rule, secondsLeft(used));
  }

  /** A penalty never refuses this try: the next one meets the limit. */
  const countWrong = (keys: readonly LimitedKey[]) =>
    Promise.all(keys.map(([rule, key]) => withLimiter(rule, (limiter) => limiter.penalty(hidden(key)))));

  return {
    take,
    limitOf,
    async count(rule, key) {
      const standing = await take(rule, key);
      if (standing?.allowed === false) throw refusal(rule, standing.resetSeconds);
    },
    guess: ({ from, keys }, attempt) =>
      turns(hidden(from), TURN_RETRY_SECONDS, async () => {
        await Promise.all(keys.map(assertAllowed));
        try {
          const result = await attempt();
          if (result === undefined) await countWrong(keys);
          return result;
        } catch (error) {
          if (error instanceof Refusal && WRONG_SECRET.includes(error.code)) await countWrong(keys);
          throw error;
        }
      }),
  };
}
