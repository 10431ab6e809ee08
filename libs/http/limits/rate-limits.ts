import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Asker } from '#accounts/access/fair-line.js';
import { type RequestLimit, usualRegistrationLimit } from '#platform/config/limit-setting.js';
import { Refusal, type RefusalCode } from '#platform/errors/refusal.js';
import type { RedisClient } from '#platform/redis/redis.js';
import { createTurns } from '../turns.js';
import { createFamiliarCallers, hidden } from './familiar-callers.js';
import { type Network, networkOf, networksOf } from './network.js';
import type { Standing } from './request-limits.js';

/**
 * How often passwords and codes may be tried. Generous for people and for a business's own servers, which share an
 * address; hopeless for guessing. An e-mail's limits are the same whether or not it belongs to an account. An address
 * counts in each of its networks (`networksOf`): the limits below are those of the narrowest, and a wider one has twice or
 * four times as much.
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
  /** For one account: its address may be a stranger's, who has asked for none of the mails. */
  'verification-mail': { requests: 5, windowSeconds: 3_600 },
  'verification-mail-day': { requests: 10, windowSeconds: 86_400 },
  /** New keys of one account: each sends a mail, perhaps to an address that is not its own. */
  'api-key': { requests: 60, windowSeconds: 3_600 },
  /** Invitations of one account, and those of one address by it: each sends a mail to a stranger. */
  invitation: { requests: 100, windowSeconds: 86_400 },
  'invitation-address': { requests: 5, windowSeconds: 86_400 },
  /** New addresses of webhook endpoints of one account: each sends a mail, too. */
  'webhook-address': { requests: 60, windowSeconds: 3_600 },
} as const satisfies Record<string, RequestLimit>;

export type RateLimitRule = keyof typeof rules;
/** The name of a rule in metrics and documents, where `address` already names the limit over all routes. */
export const shownRule = (rule: RateLimitRule): string => (rule === 'address' ? 'route' : rule);

/** The limit of a rule in the narrowest network, unless the configuration sets another. */
export const rateLimitOf = (rule: RateLimitRule): RequestLimit => rules[rule];

/** Without a share, the limit of the rule itself. */
export type LimitedKey = readonly [rule: RateLimitRule, key: string, share?: Network['share']];

/** A rule in each network of an address, from the narrowest. */
const keysFrom = (rule: RateLimitRule, networks: readonly Network[], what: string): LimitedKey[] =>
  networks.map(({ name, share }) => [rule, `${name} ${what}`, share]);

/** What wrong tries of a secret count against. */
export interface GuessKeys {
  readonly keys: readonly LimitedKey[];
  readonly networks: readonly Network[];
  /** A right secret of this e-mail makes it familiar in its network. */
  readonly email?: string;
  /** The caller has shown a credential of this account. */
  readonly accountId?: bigint;
  /** Who that is, among the people and keys of the account. */
  readonly caller?: string;
}

/** Who tries a password after it has shown a credential. */
export interface PasswordCaller {
  readonly accountId: bigint;
  /** Whose password it is; undefined: the one of the account's address. */
  readonly operatorId: bigint | undefined;
  readonly apiKeyId?: bigint | undefined;
}

type Tiers = readonly [here: RateLimitRule, anywhere: RateLimitRule];

function keysOf([here, anywhere]: Tiers, email: string, address: string) {
  const networks = networksOf(address);
  return { email, networks, keys: [...keysFrom(here, networks, email), [anywhere, email]] } satisfies GuessKeys;
}

export const loginKeys = (email: string, address: string): GuessKeys =>
  keysOf(['login-here', 'login-anywhere'], email, address);
export const resetCodeKeys = (email: string, address: string): GuessKeys =>
  keysOf(['reset-code-here', 'reset-code-anywhere'], email, address);
export const resetMailKeys = (email: string, address: string): readonly LimitedKey[] =>
  keysOf(['reset-mail-here', 'reset-mail-anywhere'], email, address).keys;
/** By person, and by key: wrong passwords of one must not keep its colleagues from giving theirs. */
export function currentPasswordKeys(caller: PasswordCaller, address: string): GuessKeys {
  const { accountId, operatorId, apiKeyId } = caller;
  const name = [accountId, operatorId ?? '', apiKeyId ?? ''].join(' ');
  return { accountId, caller: name, networks: networksOf(address), keys: [['current-password', name]] };
}
/** For the console's server: the API counts by the e-mail alone as well. */
export const consoleLoginKeys = (email: string, address: string): GuessKeys => {
  const networks = networksOf(address);
  return { networks, keys: keysFrom('login-here', networks, `console ${email}`) };
};

/** A stranger, unless more is known. */
export const askerAt = (address: string): Asker => ({ networks: networksOf(address).toReversed(), isFamiliar: false });

/** A familiar caller takes turns by itself: others of its network do not hold it up. */
function askerOf({ networks, email, accountId }: GuessKeys, isFamiliar: boolean): Asker {
  const self = { name: email?.toLowerCase() ?? String(accountId), share: 1 };
  return { networks: isFamiliar ? [...networks.toReversed(), self] : networks.toReversed(), isFamiliar };
}

/** Tries of one line take turns. */
function lineOf({ networks, caller }: GuessKeys, { isFamiliar, networks: ofAsker }: Asker): string {
  if (caller !== undefined) return caller;
  const [narrowest] = networks as readonly [Network];
  return isFamiliar ? `${narrowest.name} ${ofAsker.at(-1)?.name}` : narrowest.name;
}

/** The refusals that say that a secret was wrong. Any other one, such as of an overloaded server, is no guess. */
const WRONG_SECRET: readonly RefusalCode[] = [
  'current-password-wrong',
  'password-wrong',
  'code-wrong',
  'reset-code-invalid',
];

/** Where a caller stands, and the limit that says so. */
interface LimitStanding extends Standing {
  readonly limit: RequestLimit;
}

export interface RateLimits {
  /** Counts a try in each network of the address unless a limit is reached; undefined when limits are off. */
  take(rule: RateLimitRule, address: string, what: string): Promise<LimitStanding | undefined>;
  /** Counts a try, or refuses with the time to wait. */
  count(...key: LimitedKey): Promise<void>;
  /** Counts a try in each network of the address, or refuses with the time to wait. */
  countFrom(rule: RateLimitRule, address: string, what: string): Promise<void>;
  /**
   * Runs a try of a secret, and counts it against all the keys if the secret was wrong: the try returns undefined or
   * throws the refusal of a wrong secret. Tries from one place take turns, a few at a time. So parallel guesses cannot
   * bypass the count while honest ones wait only a moment, and one network cannot fill the queue of password hashes.
   */
  guess<Result>(guessed: GuessKeys, attempt: (asker: Asker) => Promise<Result>): Promise<Result>;
  /** Runs other work with a hash in turn with the guesses of strangers from this address. */
  inTurn<Result>(address: string, work: (asker: Asker) => Promise<Result>): Promise<Result>;
  /** Whether this process knows of a familiar caller in the narrowest network of the address. */
  hasFamiliar(address: string): boolean;
}

export const unlimited: RateLimits = {
  take: async () => undefined,
  count: async () => undefined,
  countFrom: async () => undefined,
  guess: (guessed, attempt) => attempt(askerOf(guessed, guessed.accountId !== undefined)),
  inTurn: (address, work) => work(askerAt(address)),
  hasFamiliar: () => false,
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
  key: LimitedKey,
  use: (limiter: RateLimiterAbstract, key: string) => Promise<Result>,
) => Promise<Result>;

/** Undefined: there is no limit. */
type LimitOf = (rule: RateLimitRule, share?: number) => RequestLimit | undefined;

/** Uses a rule's limiter in Redis, which all processes share; while Redis is away, the limiter of this process. */
function createLimiters(redis: RedisClient, prefix: string, limitOf: LimitOf): WithLimiter {
  const limitersOf = (rule: RateLimitRule, share: number) => {
    const { requests, windowSeconds } = limitOf(rule, share) ?? rules[rule];
    const common = { keyPrefix: `${prefix}:limit:${rule}`, points: requests, duration: windowSeconds };
    const shared = new RateLimiterRedis({
      ...common,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      // A flood from one address is refused without a question to Redis.
      inMemoryBlockOnConsumed: requests,
    });
    return { shared, own: new RateLimiterMemory(common) };
  };
  const limiters = new Map<string, ReturnType<typeof limitersOf>>();
  let withoutRedisUntilMs = 0;

  return async ([rule, key, share = 1], use) => {
    const name = `${rule} ${share}`;
    const { shared, own } = limiters.get(name) ?? limitersOf(rule, share);
    limiters.set(name, { shared, own });
    if (Date.now() < withoutRedisUntilMs) return use(own, hidden(key));
    try {
      return await use(shared, hidden(key));
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      withoutRedisUntilMs = Date.now() + WITHOUT_REDIS_MS;
      return use(own, hidden(key));
    }
  };
}

interface LimitOverrides {
  /** Undefined: registrations are not limited. */
  readonly registration: RequestLimit | undefined;
}

interface CountOptions {
  readonly withLimiter: WithLimiter;
  readonly limitOf: LimitOf;
  readonly onRefused: OnRefused;
}

/** Counts tries, and looks at the counts. */
function createCounts({ withLimiter, limitOf, onRefused }: CountOptions) {
  function refusal(rule: RateLimitRule, retryAfterSeconds: number): Refusal {
    onRefused(shownRule(rule));
    return new Refusal('rate-limited', { retryAfterSeconds });
  }

  async function takeOne(key: LimitedKey): Promise<LimitStanding | undefined> {
    const limit = limitOf(key[0], key[2]);
    if (limit === undefined) return undefined;
    try {
      const taken = await withLimiter(key, (limiter, name) => limiter.consume(name));
      return { limit, allowed: true, remaining: taken.remainingPoints, resetSeconds: secondsLeft(taken) };
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return { limit, allowed: false, remaining: 0, resetSeconds: secondsLeft(refused) };
    }
  }

  /** What a narrow network is refused does not count in the wider ones: one subscriber cannot use up what all share. */
  async function take(rule: RateLimitRule, address: string, what: string): Promise<LimitStanding | undefined> {
    let first: LimitStanding | undefined;
    for (const key of keysFrom(rule, networksOf(address), what)) {
      const standing = await takeOne(key);
      if (standing?.allowed === false) return standing;
      first ??= standing;
    }
    return first;
  }

  function assertTaken(rule: RateLimitRule, standing: Standing | undefined): void {
    if (standing?.allowed === false) throw refusal(rule, standing.resetSeconds);
  }

  async function assertAllowed(key: LimitedKey): Promise<void> {
    const used = await withLimiter(key, (limiter, name) => limiter.get(name));
    const { requests } = limitOf(key[0], key[2]) ?? rules[key[0]];
    if (used !== null && used.consumedPoints >= requests) throw refusal(key[0], secondsLeft(used));
  }

  /** A penalty never refuses this try: the next one meets the limit. */
  const countWrong = (keys: readonly LimitedKey[]) =>
    Promise.all(keys.map((key) => withLimiter(key, (limiter, name) => limiter.penalty(name))));

  return { takeOne, take, assertTaken, assertAllowed, countWrong };
}

export function createRateLimits(
  redis: RedisClient,
  prefix: string,
  onRefused: OnRefused = () => undefined,
  { registration }: LimitOverrides = { registration: rules.registration },
): RateLimits {
  const limitOf: LimitOf = (rule, share = 1) => {
    const limit = rule === 'registration' ? registration : rules[rule];
    return limit && { ...limit, requests: limit.requests * share };
  };
  const withLimiter = createLimiters(redis, prefix, limitOf);
  const { takeOne, take, assertTaken, assertAllowed, countWrong } = createCounts({ withLimiter, limitOf, onRefused });
  const familiar = createFamiliarCallers(redis, prefix);
  const turns = createTurns({ atOnce: TURNS_AT_ONCE, waiting: TURNS_WAITING, waitMs: TURN_WAIT_MS });
  const inLine = <Result>(line: string, work: () => Promise<Result>) => turns(hidden(line), TURN_RETRY_SECONDS, work);

  async function tryOnce<Result>(
    { keys, networks, email }: GuessKeys,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    await Promise.all(keys.map(assertAllowed));
    try {
      const result = await attempt();
      if (result === undefined) await countWrong(keys);
      else if (email !== undefined && networks[0] !== undefined) familiar.note(networks[0].name, email);
      return result;
    } catch (error) {
      if (error instanceof Refusal && WRONG_SECRET.includes(error.code)) await countWrong(keys);
      throw error;
    }
  }

  return {
    take,
    count: async (...key) => assertTaken(key[0], await takeOne(key)),
    countFrom: async (rule, address, what) => assertTaken(rule, await take(rule, address, what)),
    async guess(guessed, attempt) {
      const { networks, email, accountId } = guessed;
      const isKnown = email !== undefined && (await familiar.has(networks[0]?.name ?? '', email));
      const asker = askerOf(guessed, isKnown || accountId !== undefined);
      return inLine(lineOf(guessed, asker), () => tryOnce(guessed, () => attempt(asker)));
    },
    inTurn: (address, work) => inLine(networkOf(address), () => work(askerAt(address))),
    hasFamiliar: (address) => familiar.knows(networkOf(address)),
  };
}
