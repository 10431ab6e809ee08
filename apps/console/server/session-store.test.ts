import { beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { HOUR_MS } from '#platform/config/time-units.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { createSessionStore } from './session-store.js';

const environment = withTestEnvironment(async () => {
  redis?.disconnect();
});
let redis: Redis;
let nowMs = Date.now();

beforeAll(async () => {
  redis = new Redis(environment.redisUrl);
});

const store = () => createSessionStore(redis, environment.redisPrefix, () => nowMs);

describe('the store of sessions', () => {
  it('ends a session after 8 hours, however often it is used', async () => {
    const id = await store().add('7.token');
    const begin = nowMs;
    nowMs = begin + 7.9 * HOUR_MS;
    expect(await store().use(id, true)).toEqual({
      token: '7.token',
      endsAtMs: begin + 8 * HOUR_MS,
      leftMs: 8 * HOUR_MS - 7.9 * HOUR_MS,
    });
    const [key = ''] = await redis.keys(`${environment.redisPrefix}:console:session:*`);
    expect(await redis.pttl(key)).toBeLessThanOrEqual(0.1 * HOUR_MS);
    nowMs = begin + 8 * HOUR_MS;
    expect(await store().use(id, true)).toBeUndefined();
  });

  it('finds nothing for what is no id, and removes what it has', async () => {
    const id = await store().add('7.token');
    for (const other of ['', '*', id.slice(1), `${id}x`, id.toLowerCase()]) {
      expect(await store().use(other, true)).toBeUndefined();
      await store().remove(other);
    }
    expect(await store().use(id, true)).toBeDefined();
    await store().remove(id);
    expect(await store().use(id, true)).toBeUndefined();
  });

  it('reads no session whose value was exchanged for another one', async () => {
    const [one, other] = [await store().add('7.one'), await store().add('8.other')];
    const keys = await redis.keys(`${environment.redisPrefix}:console:session:*`);
    const values = await redis.mget(keys);
    for (const key of keys) await redis.set(key, values.find((value) => value !== values[keys.indexOf(key)]) ?? '');
    await expect(store().use(one, true)).rejects.toThrow();
    await expect(store().use(other, true)).rejects.toThrow();
  });
});
