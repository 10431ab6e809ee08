import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { RequestLimit, RequestLimitSetting } from '#platform/config/limit-setting.js';

// Requests are counted in the memory of each process, and the processes tell one another through Redis, block by block,
// behind the requests' backs: no request ever waits for Redis. The price is that a limit may be passed by what the
// processes have not told yet: less than a block each, and what arrives while Redis answers.

/** Of a limit, in one block: the more, the cheaper, and the further a limit may be passed. */
const BLOCK_SHARE = 0.01;
/** Of one process in one window. Beyond that the oldest is forgotten, so that strangers cannot fill the memory. */
const MAX_KEYS = 20_000;
/** Redis that fails or hangs is left alone for a while; each process counts for itself meanwhile. */
const WITHOUT_REDIS_MS = 5_000;

type Key = bigint | string;

/** Where a caller stands after a request. */
export interface Standing {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface Count {
  readonly key: Key;
  /** Let through by this process. */
  own: number;
  /** Of those, what Redis was told. What it did not confirm is never told again: better too few than twice. */
  told: number;
  /** Let through by the other processes, as far as is known. */
  others: number;
}

export interface RequestCounter {
  readonly limit: RequestLimit;
  /** Counts a request, unless the limit is reached. */
  take(key: Key): Standing;
  /** The request belongs to another count. */
  giveBack(key: Key): void;
}

/** Where the processes add up what they counted; the sums come back in the given order. */
type Tell = (window: number, news: readonly (readonly [Key, number])[]) => Promise<readonly number[]>;

interface CounterOptions {
  readonly limit: RequestLimit;
  readonly canTell: () => boolean;
  readonly tell: Tell;
  readonly now: () => number;
}

function createCounter({ limit, canTell, tell, now }: CounterOptions): RequestCounter {
  const windowMs = limit.windowSeconds * 1_000;
  const block = Math.max(1, Math.floor(limit.requests * BLOCK_SHARE));
  let window = 0;
  let counts = new Map<Key, Count>();
  let due = new Set<Count>();
  let isTelling = false;

  function countOf(key: Key): Count {
    const known = counts.get(key);
    if (known !== undefined) return known;
    if (counts.size >= MAX_KEYS) {
      const [oldest] = counts.keys();
      counts.delete(oldest as Key);
    }
    const count = { key, own: 0, told: 0, others: 0 };
    counts.set(key, count);
    return count;
  }

  async function tellOnce(): Promise<void> {
    const batch = [...due];
    due.clear();
    const news = batch.map(({ key, own, told }) => [key, own - told] as const);
    for (const count of batch) count.told = count.own;
    const sums = await tell(window, news);
    // Nobody else tells of this process, so what it has told by now is part of the sum.
    for (const [index, count] of batch.entries()) count.others = Math.max(0, (sums[index] ?? 0) - count.told);
  }

  /** One message at a time: what becomes due meanwhile goes with the next. */
  async function tellAll(): Promise<void> {
    isTelling = true;
    // What stands in the same turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (due.size > 0) await tellOnce();
  }

  function becomeDue(count: Count): void {
    due.add(count);
    if (isTelling) return;
    tellAll()
      // Without Redis each process counts for itself; the connection logs that it is gone.
      .catch(() => due.clear())
      .finally(() => {
        isTelling = false;
      });
  }

  /** Windows begin at the same moment in every process, so that they need not agree on one. */
  function turn(at: number): void {
    window = at;
    counts = new Map();
    due = new Set();
  }

  return {
    limit,
    take(key) {
      const nowMs = now();
      const at = Math.floor(nowMs / windowMs);
      if (at !== window) turn(at);
      const count = countOf(key);
      const left = limit.requests - count.own - count.others;
      const resetSeconds = Math.ceil(((at + 1) * windowMs - nowMs) / 1_000);
      if (left <= 0) return { allowed: false, remaining: 0, resetSeconds };
      count.own += 1;
      if (count.own - count.told >= block && canTell()) becomeDue(count);
      return { allowed: true, remaining: left - 1, resetSeconds };
    },
    giveBack(key) {
      const count = counts.get(key);
      if (count !== undefined && count.own > 0) count.own -= 1;
    },
  };
}

export interface RequestLimits {
  readonly account: RequestCounter | undefined;
  readonly address: RequestCounter | undefined;
}

/** Redis shall not learn who calls from where; an account's number is no secret. */
const fieldOf = (key: Key): string =>
  typeof key === 'bigint' ? String(key) : createHash('sha256').update(key).digest('base64url');

export interface RequestLimitsOptions {
  readonly setting: RequestLimitSetting;
  readonly redis: Redis;
  readonly prefix: string;
  readonly now?: () => number;
}

/** So many requests for each account, and for each address, over all processes together. */
export function createRequestLimits({ setting, redis, prefix, now = Date.now }: RequestLimitsOptions): RequestLimits {
  let withoutRedisUntilMs = 0;
  const canTell = () => redis.status === 'ready' && now() >= withoutRedisUntilMs;

  const tellAs =
    (name: string, { windowSeconds }: RequestLimit): Tell =>
    async (window, news) => {
      const place = `${prefix}:limit:requests:${name}:${window}`;
      // As one, so that no key is ever left without an end. It outlives its window by one, for clocks that differ.
      const transaction = redis.multi();
      for (const [key, more] of news) transaction.hincrby(place, fieldOf(key), more);
      transaction.expire(place, 2 * windowSeconds);
      try {
        const answers = (await transaction.exec()) ?? [];
        return news.map((_key, index) => Number(answers[index]?.[1] ?? 0));
      } catch (error) {
        withoutRedisUntilMs = now() + WITHOUT_REDIS_MS;
        throw error;
      }
    };

  const counterFor = (name: string, limit: RequestLimit | undefined) =>
    limit && createCounter({ limit, canTell, tell: tellAs(name, limit), now });

  return { account: counterFor('account', setting.account), address: counterFor('address', setting.address) };
}
