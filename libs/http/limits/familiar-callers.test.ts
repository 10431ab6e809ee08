import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { connectForRequests, type RedisClient } from '#platform/redis/redis.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { waitFor } from '#testing/wait-for.js';
import { createFamiliarCallers, type FamiliarCallers } from './familiar-callers.js';

let environment: TestEnvironment;
let redis: RedisClient;

beforeAll(async () => {
  environment = await createTestEnvironment();
  redis = connectForRequests(environment.config().redis, environment.logger);
  await waitFor(() => redis.status === 'ready');
});

afterAll(async () => {
  redis?.disconnect();
  await environment?.close();
});

const newProcess = (): FamiliarCallers => createFamiliarCallers(redis, environment.redisPrefix);
const EMAIL = 'owner@example.com';

describe('familiar callers', () => {
  it('are an e-mail and a network together, in every process', async () => {
    const [one, other] = [newProcess(), newProcess()];
    one.note('192.0.2.7', EMAIL);
    await waitFor(() => other.has('192.0.2.7', EMAIL.toUpperCase()));
    expect(await one.has('192.0.2.7', EMAIL)).toBe(true);
    expect(await other.has('192.0.2.8', EMAIL)).toBe(false);
    expect(await other.has('192.0.2.7', 'nobody@example.com')).toBe(false);
    expect([other.knows('192.0.2.7'), other.knows('192.0.2.8')]).toEqual([true, false]);
    const stored = await environment.dumpRedis();
    expect(stored).not.toContain('192.0.2.7');
    expect(stored).not.toContain(EMAIL);
  });

  it('are the newest 20 networks of an e-mail, for 30 days', async () => {
    const callers = newProcess();
    for (let index = 0; index < 25; index += 1) callers.note(`10.0.0.${index}`, 'mobile@example.com');
    const reader = newProcess();
    await waitFor(() => reader.has('10.0.0.24', 'mobile@example.com'));
    const found = await Promise.all(
      Array.from({ length: 25 }, (_, index) => reader.has(`10.0.0.${index}`, 'mobile@example.com')),
    );
    expect(found.filter(Boolean)).toHaveLength(20);
    const later = Date.now() + 31 * 86_400_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    try {
      expect(await newProcess().has('10.0.0.24', 'mobile@example.com')).toBe(false);
    } finally {
      clock.mockRestore();
    }
  });

  it('are those of this process while Redis is away', async () => {
    const gone = connectForRequests({ ...environment.config().redis, url: 'redis://127.0.0.1:1' }, environment.logger);
    try {
      const callers = createFamiliarCallers(gone, environment.redisPrefix);
      callers.note('192.0.2.9', EMAIL);
      expect([await callers.has('192.0.2.9', EMAIL), await callers.has('192.0.2.7', EMAIL)]).toEqual([true, false]);
    } finally {
      gone.disconnect();
    }
  });
});
