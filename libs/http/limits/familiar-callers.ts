import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DAY_MS } from '#platform/config/time-units.js';
import type { RedisClient } from '#platform/redis/redis.js';

/** Redis must not learn who logs in from where. */
export const hidden = (key: string): string => createHash('sha256').update(key.toLowerCase()).digest('base64url');

const LATELY_MS = 30 * DAY_MS;
/** An e-mail's newest networks. So Redis holds no more than these for each account. */
const NETWORKS_OF_EMAIL = 20;
/** In the memory of a process, for the time without Redis. */
const MAX_REMEMBERED = 10_000;
/** After Redis fails or hangs, a process does not ask it for a while. */
const WITHOUT_REDIS_MS = 5_000;

/** From which network which e-mail logged in lately. Only a right password or a right code makes a pair familiar. */
export interface FamiliarCallers {
  /** The same question and the same answer for an e-mail without an account as for one that logs in from elsewhere. */
  has(network: string, email: string): Promise<boolean>;
  note(network: string, email: string): void;
  /** Whether this process knows of a familiar e-mail in the network. */
  knows(network: string): boolean;
}

/** All processes share it through Redis. */
export function createFamiliarCallers(redis: RedisClient, prefix: string): FamiliarCallers {
  const options = { max: MAX_REMEMBERED, ttl: LATELY_MS };
  const pairs = new LRUCache<string, true>(options);
  const networks = new LRUCache<string, true>(options);
  let withoutRedisUntilMs = 0;
  const keyOf = (email: string) => `${prefix}:familiar:${hidden(email)}`;
  const canAsk = () => redis.status === 'ready' && Date.now() >= withoutRedisUntilMs;
  const restFromRedis = () => {
    withoutRedisUntilMs = Date.now() + WITHOUT_REDIS_MS;
  };

  function remember(network: string, email: string): void {
    pairs.set(hidden(`${network} ${email}`), true);
    networks.set(network, true);
  }

  return {
    async has(network, email) {
      if (pairs.get(hidden(`${network} ${email}`))) return true;
      if (!canAsk()) return false;
      try {
        const notedAtMs = await redis.zscore(keyOf(email), hidden(network));
        if (Number(notedAtMs ?? 0) < Date.now() - LATELY_MS) return false;
      } catch {
        restFromRedis();
        return false;
      }
      remember(network, email);
      return true;
    },
    note(network, email) {
      remember(network, email);
      if (!canAsk()) return;
      const key = keyOf(email);
      redis
        .multi()
        .zadd(key, Date.now(), hidden(network))
        .zremrangebyrank(key, 0, -NETWORKS_OF_EMAIL - 1)
        .pexpire(key, LATELY_MS)
        .exec()
        .catch(restFromRedis);
    },
    knows: (network) => networks.has(network),
  };
}
