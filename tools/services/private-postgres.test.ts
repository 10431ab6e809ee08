import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { StartError } from '#platform/errors/start-error.js';
import { runOnce } from '#testing/databases.js';
import { startPrivatePostgres } from './private-postgres.js';
import { runProgram } from './run-program.js';
import type { PrivateService } from './service-process.js';

let parent: string;
let dataDir: string;
const started: PrivateService[] = [];

beforeAll(() => {
  // mkdtemp creates it with mode 0700, so the account of PostgreSQL cannot enter a folder of root.
  parent = mkdtempSync(path.join(os.tmpdir(), 'ledger-postgres-test-'));
  dataDir = path.join(parent, 'postgres');
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

async function start(options: { port?: number; durable?: boolean } = {}): Promise<PrivateService> {
  const service = await startPrivatePostgres({ dataDir, durable: false, ...options });
  started.push(service);
  return service;
}

const query = async (service: PrivateService, sql: string): Promise<unknown> =>
  (await runOnce(service.url, sql))[0]?.value;

describe('a private PostgreSQL', () => {
  test('starts, still has its data after a restart, and ends with the stop', async () => {
    const first = await start();
    await query(first, 'CREATE TABLE stored (value int)');
    await query(first, 'INSERT INTO stored VALUES (7)');
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });

    const second = await start();
    expect(await query(second, 'SELECT value FROM stored')).toBe(7);
    expect(await query(second, `SELECT current_setting('timezone') AS value`)).toBe('UTC');
    expect(await query(second, `SELECT datlocprovider::text || datlocale AS value FROM pg_database LIMIT 1`)).toBe(
      'bC.UTF-8',
    );
  });

  test('hides its password from other users', async () => {
    await start();
    expect(statSync(path.join(dataDir, 'password')).mode & 0o077).toBe(0);
    expect(statSync(path.join(dataDir, 'data')).mode & 0o077).toBe(0);
  });

  test('runs in a folder that only its owner may enter, and not as root', async () => {
    chmodSync(parent, 0o700);
    const service = await start();
    const { output } = await runProgram('ps', ['-o', 'uid=', '-p', String(service.pid)]);
    expect(Number(output)).not.toBe(0);
    expect(await query(service, 'SELECT 1 AS value')).toBe(1);
  });

  test('starts again, on the same port, after it was killed', async () => {
    const first = await start({ durable: true });
    await query(first, 'CREATE TABLE survives AS SELECT 8 AS value');
    first.kill('SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });

    const second = await start({ port: first.port });
    expect(second.url).toBe(first.url);
    expect(await query(second, 'SELECT value FROM survives')).toBe(8);
  });

  test('ends a server that a killed launcher has left', async () => {
    const left = await start();
    const next = await start();
    expect(await left.exited).toEqual({ code: 0, signal: null });
    expect(await query(next, 'SELECT 1 AS value')).toBe(1);
  });

  test('starts over when making the data folder was interrupted', async () => {
    await Promise.all(started.splice(0).map((service) => service.stop()));
    const other = path.join(parent, 'interrupted');
    mkdirSync(path.join(other, 'data.new-1', 'base'), { recursive: true });
    writeFileSync(path.join(other, 'password'), 'of the interrupted attempt');
    const service = await startPrivatePostgres({ dataDir: other, durable: false });
    started.push(service);
    expect(await query(service, 'SELECT 1 AS value')).toBe(1);
    expect(readdirSync(other).filter((name) => name.startsWith('data.new'))).toEqual([]);
  });

  test('says with the words of its log why it does not start', async () => {
    const broken = path.join(parent, 'broken');
    await (await startPrivatePostgres({ dataDir: broken, durable: false })).stop();
    const attempt = startPrivatePostgres({ dataDir: broken, settings: { shared_buffers: 'much' } });
    await expect(attempt).rejects.toThrow(StartError);
    await expect(attempt).rejects.toThrow(/invalid value for parameter "shared_buffers": "much"/);
    expect(existsSync(path.join(broken, 'data', 'postmaster.pid'))).toBe(false);
  });
});
