// Runs the real launcher, as `npm start` does, with its own folders and ports.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { runOnce } from '#testing/databases.js';
import { pathOfThisProcess, startNode } from '#testing/node-process.js';
import { waitFor } from '#testing/wait-for.js';
import { readRunningServices } from '#tools/services/data-folder.js';
import { freePort } from '#tools/services/free-port.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import { runProgram } from '#tools/services/run-program.js';

// A start takes some seconds, on a machine shared with other tests.
const START_TIMEOUT_MS = 120_000;

const main = fileURLToPath(new URL('main.js', import.meta.url));
const READY = 'The betting ledger is running.';

interface StartedLauncher {
  readonly process: ChildProcess;
  readonly port: number;
  output(): string;
  errors(): string;
}

let dataDir: string;
let launchers: StartedLauncher[];

beforeEach(() => {
  // Closed to other users, like the folders of mktemp and of root.
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'ledger-launcher-test-'));
  launchers = [];
});

afterEach(async () => {
  await Promise.all(launchers.map(end));
  rmSync(dataDir, { recursive: true, force: true });
});

async function launch(env: NodeJS.ProcessEnv = {}): Promise<StartedLauncher> {
  const [port, dashboardPort] = [await freePort(), await freePort()];
  const settings = { PORT: String(port), DASHBOARD_PORT: String(dashboardPort), DATA_DIR: dataDir };
  const { child, said } = startNode(main, [], { PATH: pathOfThisProcess(), ...settings, ...env });
  const launcher = { process: child, port, output: () => said.output, errors: () => said.errors };
  launchers.push(launcher);
  return launcher;
}

async function waitUntilReady(launcher: StartedLauncher): Promise<void> {
  await waitFor(() => launcher.output().includes(READY) || hasEnded(launcher), { timeoutMs: START_TIMEOUT_MS });
  expect(`${launcher.output()}${launcher.errors()}`).toContain(READY);
}

const hasEnded = ({ process: child }: StartedLauncher) => child.exitCode !== null || child.signalCode !== null;

async function exitOf(launcher: StartedLauncher): Promise<number | null> {
  await waitFor(() => hasEnded(launcher), { timeoutMs: START_TIMEOUT_MS });
  return launcher.process.exitCode;
}

async function end(launcher: StartedLauncher): Promise<void> {
  if (hasEnded(launcher)) return;
  launcher.process.kill('SIGTERM');
  await exitOf(launcher);
}

interface Part {
  readonly name: string;
  readonly pid: number;
}

/** The five processes that the launcher has started. */
async function partsOf(launcher: StartedLauncher): Promise<Part[]> {
  const { output } = await runProgram('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return output.split('\n').flatMap((line) => {
    const [, pid = '', parent = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    const name = /(api|worker|console)\/main\.js|(redis-server|valkey-server|postgres) /.exec(command);
    if (Number(parent) !== launcher.process.pid || name === null) return [];
    return [{ name: name[1] ?? name[2] ?? '', pid: Number(pid) }];
  });
}

async function partNamed(launcher: StartedLauncher, name: RegExp): Promise<Part | undefined> {
  return (await partsOf(launcher)).find((part) => name.test(part.name));
}

/** Of these parts, those that run. One that has ended may wait for its parent to notice. */
async function leftOf(parts: readonly Part[]): Promise<Part[]> {
  const { output } = await runProgram('ps', ['-A', '-o', 'pid=,stat=']);
  const running = output.split('\n').flatMap((line) => /^\s*(\d+) [^Z]/.exec(line)?.[1] ?? []);
  return parts.filter(({ pid }) => running.includes(String(pid)));
}

async function statusOf(launcher: StartedLauncher): Promise<number> {
  try {
    const answer = await fetch(`http://127.0.0.1:${launcher.port}/readyz`);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0; // no server listens at this moment
  }
}

const serves = (launcher: StartedLauncher) =>
  waitFor(async () => (await statusOf(launcher)) === 200, { timeoutMs: START_TIMEOUT_MS });

/** One paragraph for the user: without a stack and log lines. */
function expectOneParagraph(text: string): void {
  expect(text.trim().split('\n\n')).toHaveLength(1);
  expect(text).not.toMatch(/^\s+at /m);
}

const UNKNOWN_LOGIN = JSON.stringify({ email: 'nobody@example.com', password: 'unknown' });

describe('a launcher', () => {
  let own: string;
  let launcher: StartedLauncher;

  beforeAll(async () => {
    own = mkdtempSync(path.join(os.tmpdir(), 'ledger-launcher-test-'));
    launchers = [];
    launcher = await launch({ DATA_DIR: own });
    await waitUntilReady(launcher);
  });

  afterAll(async () => {
    if (launcher !== undefined) await end(launcher);
    rmSync(own, { recursive: true, force: true });
  });

  test('starts everything and says where it is', async () => {
    expect(launcher.output()).toContain(`http://localhost:${launcher.port}`);
    expect(launcher.output()).toContain(path.join(own, 'mail'));
    expect(launcher.output()).toContain('npm run make-admin -- EMAIL');
    const { apiUrl, dashboardUrl = '', ownerUrl = '' } = (await readRunningServices(own)) ?? {};
    expect(apiUrl).toBe(`http://localhost:${launcher.port}`);
    await serves(launcher);
    expect(/http:\S+/.exec(launcher.output())?.[0]).toBe(dashboardUrl);
    const stranger = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: UNKNOWN_LOGIN };
    expect((await fetch(`${dashboardUrl}/session`, stranger)).status).toBe(401); // by the API
    const [, workerMetrics = ''] = /and (http:\S+\/metrics)/.exec(launcher.output()) ?? [];
    for (const url of [`http://127.0.0.1:${launcher.port}/metrics`, workerMetrics]) {
      expect(await (await fetch(url)).text()).toContain('ledger_process_start_time_seconds');
    }
    const roles = await runOnce(
      ownerUrl,
      `SELECT DISTINCT usename AS role FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND usename IS NOT NULL AND pid <> pg_backend_pid()`,
    );
    expect(roles).toEqual([{ role: 'ledger_app' }]);
  });

  test('keeps its data folder: another one is refused', async () => {
    const second = await launch({ DATA_DIR: own });
    expect(await exitOf(second)).toBe(1);
    expect(second.errors()).toContain('Another launcher already uses the data folder');
    expectOneParagraph(second.errors());
    await serves(launcher);
  });

  test('restarts any part that is killed', async () => {
    for (const name of [/^api$/, /^worker$/, /^console$/, /^(redis|valkey)-server$/, /^postgres$/]) {
      const part = await partNamed(launcher, name);
      expect(part).toBeDefined();
      process.kill(part?.pid ?? 0, 'SIGKILL');
      await waitFor(
        async () => {
          const next = await partNamed(launcher, name);
          return next !== undefined && next.pid !== part?.pid;
        },
        { timeoutMs: START_TIMEOUT_MS },
      );
      await serves(launcher);
    }
    await waitFor(() => (launcher.output().match(/runs again/g)?.length ?? 0) >= 5);
  });

  test('recovers from being killed itself, with its data', async () => {
    const parts = await partsOf(launcher);
    const redis = new Redis((await readRunningServices(own))?.redisUrl ?? '');
    await redis.set('stored', 'yes');
    redis.disconnect();
    launcher.process.kill('SIGKILL');
    await once(launcher.process, 'exit');

    // The parts of the killed launcher may still hold its port.
    const next = await launch({ DATA_DIR: own, PORT: String(launcher.port) });
    launchers = []; // the next test needs it, and the hook after the last one ends it
    launcher = { ...next, port: launcher.port };
    await waitUntilReady(launcher);
    await serves(launcher);
    await waitFor(async () => (await leftOf(parts)).length === 0, { timeoutMs: START_TIMEOUT_MS });
    const client = new Redis((await readRunningServices(own))?.redisUrl ?? '');
    expect(await client.get('stored')).toBe('yes');
    client.disconnect();
  });

  test('stops everything', async () => {
    const parts = await partsOf(launcher);
    expect(parts.map(({ name }) => name.replace('valkey', 'redis')).sort()).toEqual([
      'api',
      'console',
      'postgres',
      'redis-server',
      'worker',
    ]);
    launcher.process.kill('SIGTERM');
    expect(await exitOf(launcher)).toBe(0);
    expect(await leftOf(parts)).toEqual([]);
    expect(await readRunningServices(own)).toBeUndefined();
    expect(launcher.errors()).toBe('');
  });
});

describe('the launcher', () => {
  test('stops cleanly in the middle of its start', async () => {
    const launcher = await launch();
    await waitFor(() => launcher.output().includes('Making a new PostgreSQL database'), {
      timeoutMs: START_TIMEOUT_MS,
    });
    launcher.process.kill('SIGINT');
    expect(await exitOf(launcher)).toBe(0);
    expect(launcher.errors()).toBe('');
    expect(await readRunningServices(dataDir)).toBeUndefined();
    expect(() => readFileSync(path.join(dataDir, 'postgres/data/postmaster.pid'))).toThrow(/ENOENT/);
  });
});

describe('the launcher explains', () => {
  test('a port that is taken', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const launcher = await launch({ DASHBOARD_PORT: String(port) });
    expect(await exitOf(launcher)).toBe(1);
    const reason = `Port ${port} is already in use: stop what uses it, or set DASHBOARD_PORT to another one.`;
    expect(launcher.errors().trim()).toBe(reason);
    server.close();
  });

  test.each([
    ['a port that is none', { PORT: '70000' }, /^PORT must be a port/],
    ['an address that is none', { REDIS_URL: 'secret' }, /^REDIS_URL must be an address that begins with redis/],
    ['a data folder that cannot be', { DATA_DIR: '/dev/null/here' }, /^The system refuses: .*\/dev\/null\/here/],
  ])('%s', async (_case, env, reason) => {
    const launcher = await launch(env);
    expect(await exitOf(launcher)).toBe(1);
    expect(launcher.errors().trim()).toMatch(reason);
    expect(launcher.errors()).not.toContain('secret');
    expectOneParagraph(launcher.errors());
  });

  test('a database that does not answer', async () => {
    const port = await freePort();
    const launcher = await launch({ DATABASE_URL: `postgresql://someone:secret@127.0.0.1:${port}/ledger` });
    expect(await exitOf(launcher)).toBe(1);
    expect(launcher.errors()).toContain(`The PostgreSQL of DATABASE_URL (127.0.0.1:${port}/ledger) does not answer`);
    expect(launcher.errors()).not.toContain('secret');
    expectOneParagraph(launcher.errors());
    expect(await partsOf(launcher)).toEqual([]);
  });

  test('a Redis that may drop waiting work', async () => {
    const service = await startPrivateRedis({ dataDir: path.join(dataDir, 'own'), persistent: false });
    try {
      const redis = new Redis(service.url);
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      redis.disconnect();
      const launcher = await launch({ REDIS_URL: service.url });
      expect(await exitOf(launcher)).toBe(1);
      expect(launcher.errors()).toContain('maxmemory-policy allkeys-lru');
      expectOneParagraph(launcher.errors());
      expect(await partsOf(launcher)).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
