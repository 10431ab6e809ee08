import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectForRequests, type RedisClient } from '#platform/redis/redis.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { unlessStandingStill } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { type AccountLocks, createAccountLocks } from './account-lock.js';

let environment: TestEnvironment;
let redis: RedisClient;
let locks: AccountLocks;

beforeAll(async () => {
  environment = await createTestEnvironment();
  redis = connectForRequests(environment.config().redis, environment.logger);
  await waitFor(() => redis.status === 'ready');
  locks = createAccountLocks({ redis, prefix: environment.redisPrefix, lifeMs: 300, renewEveryMs: 60 });
});

afterAll(async () => {
  redis?.disconnect();
  await environment?.close();
});

const keyOf = (accountId: bigint) => `${environment.redisPrefix}:account-lock:${accountId}`;

/** Work that runs until the test ends it. */
function heldWork() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended.then(() => 'done' as const), end };
}

describe('the lock of an account', () => {
  it('has one holder at a time, and the next when that one ends', () =>
    // A lock expires while its process stands still.
    unlessStandingStill(async () => {
      await environment.emptyRedis();
      const first = heldWork();
      const holding = locks.tryHolding(1n, first.work);
      try {
        await waitFor(async () => (await redis.exists(keyOf(1n))) === 1);
        expect(await locks.isWanted(1n)).toBe(false);
        expect(await locks.tryHolding(1n, async () => 'never')).toBeUndefined();
        expect([await locks.isWanted(1n), await locks.isWanted(1n)]).toEqual([true, false]);
        expect(await locks.tryHolding(2n, async () => 'another account')).toBe('another account');
      } finally {
        first.end();
        expect(await holding).toBe('done');
      }
      expect(await locks.tryHolding(1n, async () => 'next')).toBe('next');
      expect(await redis.exists(keyOf(1n))).toBe(0);
    }));

  it('is renewed for as long as the work takes', () =>
    // A lock expires while its process stands still.
    unlessStandingStill(async () => {
      const long = heldWork();
      const holding = locks.tryHolding(3n, long.work);
      await waitFor(async () => (await redis.exists(keyOf(3n))) === 1);
      const startedAt = Date.now();
      try {
        await waitFor(async () => {
          expect(await locks.tryHolding(3n, async () => 'never')).toBeUndefined();
          return Date.now() - startedAt > 1_000;
        });
      } finally {
        long.end();
        await holding;
      }
    }));

  it('is released only by its holder', async () => {
    const late = heldWork();
    const holding = locks.tryHolding(4n, late.work);
    await waitFor(async () => (await redis.exists(keyOf(4n))) === 1);
    // The first holder stalls until its lock expires, and another one takes it.
    await redis.set(keyOf(4n), 'another holder');
    late.end();
    await holding;
    expect(await redis.get(keyOf(4n))).toBe('another holder');
    expect(await redis.pttl(keyOf(4n))).toBe(-1);
  });

  it('is released when the work fails', async () => {
    const failing = locks.tryHolding(5n, async () => {
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await redis.exists(keyOf(5n))).toBe(0);
  });

  it('lets work run without Redis', async () => {
    const away = connectForRequests({ url: 'redis://127.0.0.1:1' }, environment.logger);
    const unlocked = createAccountLocks({ redis: away, prefix: environment.redisPrefix });
    expect(await unlocked.tryHolding(6n, async () => 'done')).toBe('done');
    away.disconnect();
  });
});
