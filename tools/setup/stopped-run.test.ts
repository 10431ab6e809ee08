import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { waitFor } from '#testing/wait-for.js';

const script = fileURLToPath(new URL('../../../tools/setup/test.mjs', import.meta.url));

let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ledger-stop-'));
});

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

/** Runs the tests whose path holds `name`, with servers of its own in `folder`. */
function startRun(name: string, more: Record<string, string> = {}): Promise<unknown[]> {
  // biome-ignore lint/style/noProcessEnv: a test run in a test run
  const { DATABASE_URL: _database, REDIS_URL: _redis, TEST_THROUGH_PGBOUNCER: _pooler, ...env } = process.env;
  child = spawn(process.execPath, [script, name], { env: { ...env, ...more, TMPDIR: folder }, stdio: 'ignore' });
  return once(child, 'exit');
}

/** The process ids of the PostgreSQL servers whose files are in `folder`. */
async function serversThere(): Promise<number[]> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const found = files.filter((file) => file.endsWith('/postmaster.pid'));
  const texts = await Promise.all(found.map((file) => readFile(path.join(folder, file), 'utf8').catch(() => '')));
  return texts.map((text) => Number(text.split('\n')[0])).filter((pid) => pid > 0);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A whole run starts beside this one. */
const START = { timeoutMs: 150_000 };

it.each([
  ['SIGINT', 'its setup', 1],
  ['SIGHUP', 'its setup', 1],
  ['SIGTERM', 'a test that has a PostgreSQL of its own', 2],
] as const)('a test run that gets a %s during %s leaves no file and no server', async (signal, _when, servers) => {
  const ended = startRun('tools/services/private-postgres');
  const pids = await waitFor(async () => {
    const found = await serversThere();
    return found.length === servers && found;
  }, START);
  child?.kill(signal);
  expect((await ended)[0]).toBe(130);
  expect(await readdir(folder)).toEqual([]);
  await waitFor(() => !pids.some(isRunning));
});

it('a test run whose servers cannot be used leaves no file', async () => {
  const [code] = await startRun('libs/core/money', { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' });
  expect(code).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});
