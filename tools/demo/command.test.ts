// Runs the real command, as `npm run demo` does.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Running } from '#platform/process/run-process.js';
import { TestClient } from '#testing/client.js';
import { logInAtConsole } from '#testing/console-session.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { pathOfThisProcess, startNode } from '#testing/node-process.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';
import { claimDataFolder, type DataFolderClaim } from '#tools/services/data-folder.js';
import { freePort } from '#tools/services/free-port.js';

const main = fileURLToPath(new URL('main.js', import.meta.url));

let folder: string;
let temporary: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-demo-test-'));
  temporary = path.join(folder, 'temporary');
  mkdirSync(temporary);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function startDemo(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const dataDir = path.join(folder, 'nothing');
  return startNode(main, args, { PATH: pathOfThisProcess(), TMPDIR: temporary, DATA_DIR: dataDir, ...env });
}

const runDemo = (args: readonly string[], env?: NodeJS.ProcessEnv) => startDemo(args, env).ended;

describe('the demo beside a running `npm start`', () => {
  let environment: TestEnvironment;
  let api: TestPart;
  let worker: Running;
  let claim: DataFolderClaim;

  const publish = (apiUrl: string) =>
    claim.publish({
      databaseUrl: environment.database.url,
      redisUrl: environment.redisUrl,
      apiUrl,
      dashboardUrl: 'http://localhost:1',
      workerMetricsUrl: 'http://localhost:2/metrics',
    });

  const runBeside = (...args: string[]) => runDemo(['--offers', '20', ...args], { DATA_DIR: environment.folder });

  beforeAll(async () => {
    environment = await createTestEnvironment();
    api = await startTestApi(environment);
    worker = await startTestWorker(environment);
    claim = await claimDataFolder(environment.folder);
  });

  afterAll(async () => {
    claim?.release();
    await worker?.close();
    await api?.close();
    await environment?.close();
  });

  it('asks the user to try again while that one is not ready', async () => {
    expect(await runBeside()).toEqual({
      code: 1,
      output: '',
      errors: '\n`npm start` is just starting: try again when it is ready.\n\n',
    });
  });

  it('finds it through the data folder, and prints the table, the verdict and the addresses', async () => {
    publish(api.client.baseUrl);
    const { code, output, errors } = await runBeside();
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toContain(`(seed 1) on the \`npm start\` that runs at ${api.client.baseUrl}`);
    expect(output).toMatch(/^ {2}All 50 +[\d,.]+ +[\d,.]+ +0\.00 +[\d,.]+$/m);
    expect(output).toMatch(/^ {2}Audit: The books balance: /m);
    expect(output).toContain(`${api.client.baseUrl}/docs`);
    const [, email, password] = /admin +(\S+), password (\S+)/.exec(output) ?? [];
    const login = await api.client.post('/auth/login/account', { email, password });
    const admin = api.client.as({ token: login.body.data.token });
    expect((await admin.get('/admin/accounts')).status).toBe(200);
  });

  it('fails when a call fails, and names the call', async () => {
    publish(`http://127.0.0.1:${await freePort()}`);
    const { code, errors } = await runBeside();
    expect(code).toBe(1);
    expect(errors.trim()).toBe('POST /auth/register/account had no answer in 1 try');
  });

  it('fails when the audit finds a difference, and shows it', async () => {
    publish(api.client.baseUrl);
    await environment.database.query(
      `UPDATE balances SET balance = balance + 1 WHERE (account_id, user_id) IN
         (SELECT account_id, id FROM users WHERE reference = 'ada-dale')`,
    );
    const { code, output } = await runBeside();
    expect(code).toBe(1);
    expect(output).toMatch(/^ {2}Audit: 1 difference found: /m);
    expect(output).toContain('(ada-dale): balance is');
  });
});

describe('the demo alone', () => {
  it('starts its own ledger, ignores the services that the environment names, and leaves no files after a Ctrl-C', async () => {
    const nowhere = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing', REDIS_URL: 'redis://127.0.0.1:1' };
    const demo = startDemo(['--offers', '40', '--seed', '2', '--stay'], nowhere);
    await waitFor(() => /continue to trade/.test(demo.said.output), { timeoutMs: 150_000 });
    const { output } = demo.said;
    expect(output).toContain('(seed 2) on a ledger of its own');
    expect(output).toMatch(/^ {2}Audit: The books balance: /m);
    const [, url = '', email = '', password = ''] =
      /console +(\S+)\s+business +(\S+), password (\S+)/.exec(output) ?? [];
    const browser = await logInAtConsole(new TestClient(url), { email, password });
    const { body } = await browser.get('/api/wagers/saturday-final-home-win/book');
    expect(body.levels.length).toBeGreaterThan(3);
    demo.child.kill('SIGINT');
    expect(await demo.ended).toMatchObject({ code: 0, errors: '' });
    const [apiUrl] = /http:\/\/localhost:\d+(?=\/docs)/.exec(output) ?? [];
    await expect(fetch(`${apiUrl}/healthz`)).rejects.toThrow();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    ['in production', [], { NODE_ENV: 'production' }, /it does not run in production\.$/],
    ['with an unknown option', ['--bets', '5'], {}, /Unknown option '--bets'(.|\n)*npm run demo/],
    ['with an invalid size', ['--offers', 'many'], {}, /^--offers must be a whole number from 10 to 10000\.$/],
    ['with an invalid seed', ['--seed', '-1'], {}, /--seed/],
  ])('does not run %s', async (_case, args, env, reason) => {
    const { code, output, errors } = await runDemo(args, env);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors.trim()).toMatch(reason);
    expect(errors).not.toMatch(/^\s+at /m);
  });
});
