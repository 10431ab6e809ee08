import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { claimDataFolder, readRunningServices } from './data-folder.js';
import { processStart } from './process-info.js';

const services = {
  databaseUrl: 'postgresql://a',
  redisUrl: 'redis://b',
  apiUrl: 'http://c',
  dashboardUrl: 'http://d',
  workerMetricsUrl: 'http://e/metrics',
};

let dataDir: string;
let file: string;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'ledger-folder-test-'));
  file = path.join(dataDir, 'services.json');
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('a data folder', () => {
  test('belongs to one launcher at a time', async () => {
    const claim = await claimDataFolder(dataDir);
    await expect(claimDataFolder(dataDir)).rejects.toThrow(`process ${process.pid}`);
    claim.release();
    expect(existsSync(file)).toBe(false);
    const next = await claimDataFolder(dataDir);
    expect(next.tookOver).toBe(false);
  });

  test('tells where the services are while they run, and only to its owner', async () => {
    expect(readRunningServices(dataDir)).toBeUndefined();
    const claim = await claimDataFolder(dataDir);
    expect(readRunningServices(dataDir)).toEqual({ launcherPid: process.pid, launcherStart: expect.anything() });
    claim.publish(services);
    expect(readRunningServices(dataDir)).toMatchObject(services);
    expect(statSync(file).mode & 0o077).toBe(0);
    claim.release();
    expect(readRunningServices(dataDir)).toBeUndefined();
  });

  test.each([
    ['has ended', () => ({ launcherPid: spawnSync('true').pid, launcherStart: '1' })],
    ['has ended, its pid being that of another process now', () => ({ launcherPid: process.pid, launcherStart: '1' })],
  ])('is taken over from a launcher that %s', async (_case, makeNote) => {
    writeFileSync(file, JSON.stringify({ ...makeNote(), ...services }));
    expect(readRunningServices(dataDir)).toBeUndefined();
    const claim = await claimDataFolder(dataDir);
    expect(claim.tookOver).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      launcherPid: process.pid,
      launcherStart: processStart(process.pid),
    });
  });

  test('is not lost to a note that was never finished', async () => {
    writeFileSync(file, '');
    await expect(claimDataFolder(dataDir)).resolves.toBeDefined();
  });

  test('goes to only one of several that find it left', async () => {
    writeFileSync(file, JSON.stringify({ launcherPid: process.pid, launcherStart: '1' }));
    const claims = await Promise.allSettled([1, 2, 3, 4].map(() => claimDataFolder(dataDir)));
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
