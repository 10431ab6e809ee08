import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestLimit } from '#platform/config/limit-setting.js';
import { connectForRequests, type RedisClient } from '#platform/redis/redis.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { waitFor } from '#testing/wait-for.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import { createRequestLimits, type RequestCounter } from './request-limits.js';

let environment: TestEnvironment;
const connections: RedisClient[] = [];

beforeAll(async () => {
  environment = await createTestEnvironment();
});

afterAll(async () => {
  for (const connection of connections) if (connection.status === 'ready') connection.disconnect();
  await environment?.close();
});

/** The middle of every window used here, so that no test crosses the end of one. */
const NOON_MS = 1_700_000_005_000;

async function connect(url = environment.redisUrl): Promise<RedisClient> {
  const redis = connectForRequests({ ...environment.config().redis, url }, environment.logger);
  connections.push(redis);
  await waitFor(() => redis.status === 'ready');
  return redis;
}

interface Process {
  readonly account: RequestCounter;
  readonly address: RequestCounter;
}

/** The counters of one process; `prefix` separates the tests. */
function processWith(redis: RedisClient, prefix: string, limit: RequestLimit, now = () => NOON_MS): Process {
  const setting = { account: limit, address: limit };
  const limits = createRequestLimits({ setting, redis, prefix: `${environment.redisPrefix}:${prefix}`, now });
  return { account: limits.account as RequestCounter, address: limits.address as RequestCounter };
}

function takeMany(counter: RequestCounter, count: number, key: bigint | string = 1n): number {
  let allowed = 0;
  for (let index = 0; index < count; index += 1) if (counter.take(key).allowed) allowed += 1;
  return allowed;
}

/** Takes requests one by one, each after Redis has answered the one before. */
async function takeSlowly({ account }: Process, redis: RedisClient, count: number): Promise<number> {
  for (let allowed = 0; allowed < count; allowed += 1) {
    if (!account.take(1n).allowed) return allowed;
    await redis.ping();
    await redis.ping();
  }
  return count;
}

describe('request limits of one process', () => {
  it('let a number through in each window, and say what is left of it', async () => {
    const { account } = processWith(await connect(), 'one', { requests: 3, windowSeconds: 10 });
    expect(account.take(1n)).toEqual({ allowed: true, remaining: 2, resetSeconds: 5 });
    expect(account.take(1n)).toEqual({ allowed: true, remaining: 1, resetSeconds: 5 });
    expect(account.take(1n)).toEqual({ allowed: true, remaining: 0, resetSeconds: 5 });
    expect(account.take(1n)).toEqual({ allowed: false, remaining: 0, resetSeconds: 5 });
    expect(account.take(2n)).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('start again with each window', async () => {
    let nowMs = NOON_MS;
    const { account } = processWith(await connect(), 'anew', { requests: 1, windowSeconds: 10 }, () => nowMs);
    expect(takeMany(account, 2)).toBe(1);
    nowMs += 4_999;
    expect(account.take(1n)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
    nowMs += 1;
    expect(account.take(1n)).toEqual({ allowed: true, remaining: 0, resetSeconds: 10 });
  });

  it('give back a request that belongs to another count', async () => {
    const { address } = processWith(await connect(), 'back', { requests: 2, windowSeconds: 10 });
    expect(takeMany(address, 2, 'a')).toBe(2);
    address.giveBack('a');
    address.giveBack('unknown');
    expect(takeMany(address, 2, 'a')).toBe(1);
  });

  it('forget the oldest callers when there are too many', async () => {
    const { address } = processWith(await connect(), 'many', { requests: 1, windowSeconds: 10 });
    for (let index = 0; index <= 20_000; index += 1) address.take(`10.0.${index >> 8}.${index & 255}`);
    expect(address.take('10.0.78.32').allowed).toBe(false);
    expect(address.take('10.0.0.0').allowed).toBe(true);
  });
});

describe('request limits of several processes', () => {
  const limit = { requests: 1_000, windowSeconds: 10 };
  const BLOCK = 10;

  /** The sum of account 1 in Redis. */
  async function toldOf(redis: RedisClient, prefix: string): Promise<number> {
    const [place = ''] = await redis.keys(`${environment.redisPrefix}:${prefix}:limit:requests:account:*`);
    return Number(await redis.hget(place, '1'));
  }

  it('are one limit, exceeded by less than a block for each process', async () => {
    const redis = await connect();
    const otherRedis = await connect();
    const first = processWith(redis, 'both', limit);
    const second = processWith(otherRedis, 'both', limit);
    expect(takeMany(first.account, 600)).toBe(600);
    await waitFor(async () => (await toldOf(redis, 'both')) === 600);
    // The second process learns the sum from the answer to its own first block.
    expect(takeMany(second.account, BLOCK)).toBe(BLOCK);
    await waitFor(async () => (await toldOf(redis, 'both')) === 610);
    const taken = BLOCK + (await takeSlowly(second, otherRedis, 1_000));
    expect(taken).toBeGreaterThanOrEqual(400);
    expect(taken).toBeLessThan(400 + 2 * BLOCK);
    // The first process learns the sum with its next block.
    expect(await takeSlowly(first, redis, 1_000)).toBeLessThan(2 * BLOCK);
  });

  it('store no address in Redis, and nothing without an expiry', async () => {
    const redis = await connect();
    const { address } = processWith(redis, 'hidden', { requests: 5, windowSeconds: 10 });
    address.take('192.0.2.77');
    const pattern = `${environment.redisPrefix}:hidden:limit:requests:address:*`;
    const place = await waitFor(async () => (await redis.keys(pattern))[0]);
    expect(JSON.stringify(await redis.hgetall(place))).not.toContain('192.0.2.77');
    const seconds = await redis.ttl(place);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(20);
  });
});

describe('request limits without Redis', () => {
  it('apply to each process by itself, without waiting, and are shared again afterwards', async () => {
    const options = { dataDir: path.join(environment.folder, 'redis'), persistent: false };
    let service = await startPrivateRedis(options);
    let nowMs = NOON_MS;
    const limit = { requests: 20, windowSeconds: 3_600 };
    const redis = await connect(service.url);
    const otherRedis = await connect(service.url);
    const first = processWith(redis, 'away', limit, () => nowMs);
    const second = processWith(otherRedis, 'away', limit, () => nowMs);
    service.kill('SIGKILL');
    await service.exited;
    expect([takeMany(first.account, 15), takeMany(second.account, 15)]).toEqual([15, 15]);
    await waitFor(() => redis.status !== 'ready');
    expect(takeMany(first.account, 15)).toBe(5);

    service = await startPrivateRedis({ ...options, port: service.port });
    try {
      await waitFor(() => redis.status === 'ready' && otherRedis.status === 'ready');
      nowMs += 3_600_000;
      expect(await takeSlowly(first, redis, 12)).toBe(12);
      expect(await takeSlowly(second, otherRedis, 20)).toBeLessThanOrEqual(9);
    } finally {
      // Before Redis stops: ioredis would wait for the end of a connection that has ended already.
      for (const connection of [redis, otherRedis]) connection.disconnect();
      await service.stop();
    }
  });

  it('are not delayed by a Redis that hangs', async () => {
    const service = await startPrivateRedis({ dataDir: path.join(environment.folder, 'hanging'), persistent: false });
    const redis = await connect(service.url);
    const { account } = processWith(redis, 'hangs', { requests: 5, windowSeconds: 3_600 });
    service.kill('SIGSTOP');
    try {
      // The counter answers at once: nothing here is asynchronous.
      expect(takeMany(account, 10)).toBe(5);
    } finally {
      service.kill('SIGCONT');
      redis.disconnect();
      await service.stop();
    }
  });
});
