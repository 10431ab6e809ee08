import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { StartError } from '#platform/errors/start-error.js';
import { assertRedisFits, assertRedisUrl } from '#platform/redis/redis-check.js';
import { startPrivateRedis } from './private-redis.js';
import type { PrivateService } from './service-process.js';

let parent: string;
let dataDir: string;
const started: PrivateService[] = [];

beforeAll(() => {
  parent = mkdtempSync(path.join(os.tmpdir(), 'ledger-redis-test-'));
  dataDir = path.join(parent, 'redis');
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

async function start(port?: number, folder = dataDir): Promise<PrivateService> {
  const service = await startPrivateRedis({ dataDir: folder, ...(port === undefined ? {} : { port }) });
  started.push(service);
  return service;
}

async function withClient<Answer>(url: string, use: (redis: Redis) => Promise<Answer>): Promise<Answer> {
  const redis = new Redis(url);
  redis.on('error', () => undefined); // the expected refusals reach the caller
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

describe('a private Redis', () => {
  test('starts, still has its data after a restart, and ends with the stop', async () => {
    const first = await start();
    await withClient(first.url, (redis) => redis.set('stored', '7'));
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });

    const second = await start();
    expect(await withClient(second.url, (redis) => redis.get('stored'))).toBe('7');
  });

  test('asks for a password, which other users cannot read', async () => {
    const service = await start();
    const attempt = withClient(`redis://127.0.0.1:${service.port}`, (redis) => redis.get('stored'));
    await expect(attempt).rejects.toThrow(/NOAUTH/);
    expect(statSync(path.join(dataDir, 'password')).mode & 0o077).toBe(0);
    expect(statSync(path.join(dataDir, 'redis.conf')).mode & 0o077).toBe(0);
  });

  test('starts again, on the same port, after it was killed', async () => {
    const first = await start();
    first.kill('SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const second = await start(first.port);
    expect(second.url).toBe(first.url);
    expect(await withClient(second.url, (redis) => redis.ping())).toBe('PONG');
  });

  test('ends a server that a killed launcher has left', async () => {
    const left = await start();
    const next = await start();
    expect(await left.exited).toEqual({ code: 0, signal: null });
    expect(await withClient(next.url, (redis) => redis.ping())).toBe('PONG');
  });

  test.each(['refuses to end', 'does not answer'])('starts no second server beside one that %s', async (how) => {
    const folder = path.join(parent, how.replaceAll(' ', '-'));
    const refuses = how === 'refuses to end';
    const settings = refuses ? ['rename-command SHUTDOWN ""'] : [];
    const left = await startPrivateRedis({ dataDir: folder, settings });
    started.push(left);
    if (!refuses) left.kill('SIGSTOP');
    const attempt = startPrivateRedis({ dataDir: folder, leftOverPatienceMs: 500 });
    await expect(attempt).rejects.toThrow(`still runs on ${folder}, at port ${left.port}, and does not end`);
    await expect(attempt).rejects.toThrow(StartError);
    left.kill('SIGCONT');
    expect(await withClient(left.url, (redis) => redis.ping())).toBe('PONG');
  });

  test('leaves another Redis alone that has its former port, and no password', async () => {
    const folder = path.join(parent, 'moved');
    const { port, stop } = await start(undefined, folder);
    await stop();
    const other = await startPrivateRedis({ dataDir: path.join(parent, 'open'), port, settings: ['requirepass ""'] });
    started.push(other);
    await start(undefined, folder);
    expect(await withClient(`redis://127.0.0.1:${port}`, (redis) => redis.ping())).toBe('PONG');
  });

  test('says with the words of its log why it does not start', async () => {
    const first = await start();
    const attempt = start(first.port, path.join(parent, 'other'));
    await expect(attempt).rejects.toThrow(StartError);
    await expect(attempt).rejects.toThrow(/Address already in use/);
    expect(await withClient(first.url, (redis) => redis.ping())).toBe('PONG');
  });
});

describe('the check of a Redis', () => {
  test('accepts one that never evicts, and no other', async () => {
    const { url } = await start();
    await expect(assertRedisUrl(url)).resolves.toBeUndefined();
    await withClient(url, async (redis) => {
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await expect(assertRedisFits(redis)).rejects.toThrow(/allkeys-lru.*noeviction/);
    });
    await expect(assertRedisUrl(url)).rejects.toThrow(StartError);
  });

  test('says what is wrong with an address, and not its password', async () => {
    const { port } = await start();
    const attempt = assertRedisUrl(`redis://:secret@127.0.0.1:${port}`);
    await expect(attempt).rejects.toThrow(/does not answer: WRONGPASS/);
    await expect(attempt).rejects.not.toThrow(/secret/);
  });
});
