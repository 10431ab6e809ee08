import { createHash } from 'node:crypto';
import type { RequestLimit, RequestLimitSetting } from '#platform/config/limit-setting.js';
import type { RedisClient } from '#platform/redis/redis.js';

// Each process counts requests in its memory and shares its counts through Redis asynchronously, block by block: no
// request waits for Redis. The price is that a limit can be exceeded by the counts that are not shared yet: less than a
// block for each process, and the requests that arrive while Redis answers.

/** The share of a limit in one block: larger blocks cost less and let a limit be exceeded further. */
const BLOCK_SHARE = 0.01;
/** For one process and window. Beyond it the oldest count is deleted, so that strangers cannot fill the memory. */
const MAX_KEYS = 20_000;
/** After Redis fails or hangs, a process counts for itself for a while. */
const WITHOUT_REDIS_MS = 5_000;

type Key = bigint | string;

/** What is left of a caller's limit after a request. */
export interface Standing {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface Count {
  readonly key: Key;
  /** Requests that this process let through. */
  own: number;
  /** The part of `own` that was sent to Redis. It is never sent again, even unconfirmed: better too few than twice. */
  shared: number;
  /** Requests that the other processes let through, as far as this one knows. */
  others: number;
}

export interface RequestCounter {
  readonly limit: RequestLimit;
  /** Counts a request, unless the limit is reached. */
  take(key: Key): Standing;
  /** Takes a request back that belongs to another count. */
  giveBack(key: Key): void;
}

/** Adds increments to the sums of all processes in a window, and returns the new sums in the given order. */
type AddToSums = (window: number, increments: readonly (readonly [Key, number])[]) => Promise<readonly number[]>;

interface Sharing {
  /** Forgets the counts of the window before. */
  startWindow(window: number): void;
  /** Sends the count with the next message. */
  share(count: Count): void;
}

/** Shares counts, one message at a time: counts that come meanwhile go with the next. */
function createSharing(addToSums: AddToSums): Sharing {
  let window = 0;
  let due = new Set<Count>();
  let isSending = false;

  async function sendOnce(): Promise<void> {
    const counts = [...due];
    due.clear();
    const increments = counts.map(({ key, own, shared }) => [key, own - shared] as const);
    for (const count of counts) count.shared = count.own;
    const sums = await addToSums(window, increments);
    // Only this process sends its own counts, so the sum contains exactly what it has shared by now.
    for (const [index, count] of counts.entries()) count.others = Math.max(0, (sums[index] ?? 0) - count.shared);
  }

  async function sendAll(): Promise<void> {
    isSending = true;
    // Collects the counts of one turn of the event loop into one message.
    await new Promise((resolve) => setImmediate(resolve));
    while (due.size > 0) await sendOnce();
  }

  return {
    startWindow(at) {
      window = at;
      due = new Set();
    },
    share(count) {
      due.add(count);
      if (isSending) return;
      sendAll()
        // Without Redis each process counts for itself; the connection logs that it is gone.
        .catch(() => due.clear())
        .finally(() => {
          isSending = false;
        });
    },
  };
}

interface CounterOptions {
  readonly limit: RequestLimit;
  readonly canShare: () => boolean;
  readonly addToSums: AddToSums;
  readonly now: () => number;
}

function createCounter({ limit, canShare, addToSums, now }: CounterOptions): RequestCounter {
  const windowMs = limit.windowSeconds * 1_000;
  const block = Math.max(1, Math.floor(limit.requests * BLOCK_SHARE));
  const sharing = createSharing(addToSums);
  let window = 0;
  let counts = new Map<Key, Count>();

  function countOf(key: Key): Count {
    const known = counts.get(key);
    if (known !== undefined) return known;
    if (counts.size >= MAX_KEYS) {
      const [oldest] = counts.keys();
      counts.delete(oldest as Key);
    }
    const count = { key, own: 0, shared: 0, others: 0 };
    counts.set(key, count);
    return count;
  }

  return {
    limit,
    take(key) {
      const nowMs = now();
      // Windows begin at the same moment in every process, so that they need not agree on one.
      const at = Math.floor(nowMs / windowMs);
      if (at !== window) {
        window = at;
        counts = new Map();
        sharing.startWindow(at);
      }
      const count = countOf(key);
      const left = limit.requests - count.own - count.others;
      const resetSeconds = Math.ceil(((at + 1) * windowMs - nowMs) / 1_000);
      if (left <= 0) return { allowed: false, remaining: 0, resetSeconds };
      count.own += 1;
      if (count.own - count.shared >= block && canShare()) sharing.share(count);
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
  /** Of the narrowest network of an address. */
  readonly address: RequestCounter | undefined;
  /** Of the wider networks, with twice and four times the limit. */
  readonly network: RequestCounter | undefined;
  readonly wideNetwork: RequestCounter | undefined;
}

/** Redis must not learn who calls from where; an account's number is no secret. */
const fieldOf = (key: Key): string =>
  typeof key === 'bigint' ? String(key) : createHash('sha256').update(key).digest('base64url');

export interface RequestLimitsOptions {
  readonly setting: RequestLimitSetting;
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly now?: () => number;
}

/** Limits the requests of each account and of each address, over all processes together. */
export function createRequestLimits({ setting, redis, prefix, now = Date.now }: RequestLimitsOptions): RequestLimits {
  let withoutRedisUntilMs = 0;
  const canShare = () => redis.status === 'ready' && now() >= withoutRedisUntilMs;

  const sumsOf =
    (name: string, { windowSeconds }: RequestLimit): AddToSums =>
    async (window, increments) => {
      const redisKey = `${prefix}:limit:requests:${name}:${window}`;
      // One transaction, so that no key is left without an expiry. It outlives its window by one, as clocks may differ.
      const transaction = redis.multi();
      for (const [key, more] of increments) transaction.hincrby(redisKey, fieldOf(key), more);
      transaction.expire(redisKey, 2 * windowSeconds);
      try {
        const answers = (await transaction.exec()) ?? [];
        return increments.map((_increment, index) => Number(answers[index]?.[1] ?? 0));
      } catch (error) {
        withoutRedisUntilMs = now() + WITHOUT_REDIS_MS;
        throw error;
      }
    };

  const counterFor = (name: string, limit: RequestLimit | undefined) =>
    limit && createCounter({ limit, canShare, addToSums: sumsOf(name, limit), now });

  const counterOfNetworks = (name: string, share: number) => {
    const limit = setting.address;
    return counterFor(name, limit && { ...limit, requests: limit.requests * share });
  };

  return {
    account: counterFor('account', setting.account),
    address: counterOfNetworks('address', 1),
    network: counterOfNetworks('network', 2),
    wideNetwork: counterOfNetworks('wide-network', 4),
  };
}
