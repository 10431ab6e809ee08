import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { claimDataFolder, readRunningServices } from './data-folder.js';

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
    await expect(claimDataFolder(dataDir)).rejects.toThrow(`Another launcher already uses the data folder ${dataDir}`);
    claim.release();
    const next = await claimDataFolder(dataDir);
    expect(next.tookOver).toBe(false);
    next.release();
  });

  test('belongs to one of several launchers that begin at once', async () => {
    const claims = await Promise.allSettled([1, 2, 3].map(() => claimDataFolder(dataDir)));
    const [claim, ...others] = claims.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
    expect(others).toEqual([]);
    expect(await readRunningServices(dataDir)).toEqual({});
    claim?.release();
  });

  test('says so when its socket cannot be asked', async () => {
    symlinkSync('launcher.sock', path.join(dataDir, 'launcher.sock'));
    await expect(readRunningServices(dataDir)).rejects.toThrow(
      'Whether a launcher uses the data folder cannot be seen',
    );
  });

  test('has a name that a socket can have', async () => {
    await expect(claimDataFolder(path.join(dataDir, 'x'.repeat(100)))).rejects.toThrow('is too long');
  });

  test('tells where the services are while they run, and only to its owner', async () => {
    expect(await readRunningServices(dataDir)).toBeUndefined();
    const claim = await claimDataFolder(dataDir);
    expect(await readRunningServices(dataDir)).toEqual({});
    claim.publish(services);
    expect(await readRunningServices(dataDir)).toEqual(services);
    expect(statSync(file).mode & 0o077).toBe(0);
    claim.release();
    expect(await readRunningServices(dataDir)).toBeUndefined();
    expect(existsSync(file)).toBe(false);
  });

  test('is taken over from a launcher that was killed', async () => {
    const script = `import { claimDataFolder } from ${JSON.stringify(new URL('data-folder.js', import.meta.url))};
      (await claimDataFolder(${JSON.stringify(dataDir)})).publish(${JSON.stringify(services)});
      console.log('claimed');`;
    const launcher = spawn(process.execPath, ['--input-type=module', '-e', script]);
    await once(launcher.stdout, 'data');
    expect(await readRunningServices(dataDir)).toEqual(services);
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');
    expect(await readRunningServices(dataDir)).toBeUndefined();
    const claim = await claimDataFolder(dataDir);
    expect(claim.tookOver).toBe(true);
    expect(await readRunningServices(dataDir)).toEqual({});
    claim.release();
  });
});
