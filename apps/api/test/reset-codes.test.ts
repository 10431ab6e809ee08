import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { SERVICE } from '#accounts/access/fair-line.js';
import { createPasswords } from '#accounts/access/passwords.js';
import { createMailWork, type MailWork } from '#accounts/mail/mail-work.js';
import type { Mail } from '#accounts/mail/mailer.js';
import { type Database, openDatabase } from '#platform/database/database.js';
import { register, type TestAccount, type TestClient } from '#testing/client.js';
import { countLockWaits } from '#testing/databases.js';
import { type Deferred, deferred } from '#testing/deferred.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';

// Which code is valid when the mails of several requests are retried and overtake one another. No worker runs: each test
// does the worker's work on the outbox entries itself, in the order that it tests.

const FORGOT = '/auth/account/forgot-password';
const CREATE = '/auth/account/create-password-for-forgot-password';

let environment: TestEnvironment;
let api: TestPart;
let client: TestClient;
let database: Database;
let account: TestAccount;
let sent: Mail[];

const shared = createPasswords(10);
const passwords = shared.for(SERVICE);

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
  client = api.client;
  database = openDatabase({ url: environment.database.url, connections: 5, onConnectionError: () => undefined });
});

afterAll(async () => {
  await shared.close();
  await database?.disconnect();
  await api?.close();
  await environment?.close();
});

beforeEach(async () => {
  sent = [];
  account = await register(client);
});

interface WorkOptions {
  /** Resolves `reached` before a new code is stored; storing then waits for `opened`. */
  readonly gate?: { readonly reached: Deferred; readonly opened: Deferred };
  /** Like a mail server that disconnects after it has taken the mail: the worker retries, though the mail arrived. */
  readonly failsAfterwards?: boolean;
}

const workWith = ({ gate, failsAfterwards = false }: WorkOptions = {}): MailWork =>
  createMailWork({
    database,
    appUrl: 'http://ledger.test',
    now: () => new Date(),
    passwords: {
      ...passwords,
      async hash(password) {
        gate?.reached.resolve();
        await gate?.opened.promise;
        return passwords.hash(password);
      },
    },
    mailer: {
      async send(mail) {
        sent.push(mail);
        if (failsAfterwards) throw new Error('connection lost');
      },
      close: () => undefined,
    },
  });

interface Request {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly isDone: boolean;
}

async function requests(): Promise<Request[]> {
  const rows = await environment.database.query(
    `SELECT o.* FROM outbox o JOIN accounts a ON a.id = o.account_id
      WHERE a.email = $1 AND topic = 'password-reset-mail' ORDER BY o.id`,
    [account.email],
  );
  return rows.map((row) => ({
    accountId: BigInt(String(row.account_id)),
    id: BigInt(String(row.id)),
    isDone: row.done_at !== null,
  }));
}

async function forgot(): Promise<Request> {
  expect((await client.post(FORGOT, { email: account.email })).status).toBe(200);
  const request = (await requests()).at(-1);
  if (request === undefined) throw new Error('no request was written');
  return request;
}

const sentCode = () => /^\d{8}$/m.exec(sent.at(-1)?.text ?? '')?.[0] ?? '';

async function create(code: string): Promise<number> {
  const password = 'a new password';
  const body = { email: account.email, token: code, password, password_confirmation: password };
  return (await client.post(CREATE, body)).status;
}

async function hasLivingCode(): Promise<boolean> {
  const rows = await environment.database.query(
    'SELECT 1 FROM reset_codes r JOIN accounts a ON a.id = r.account_id WHERE a.email = $1',
    [account.email],
  );
  return rows.length > 0;
}

describe('a request for a reset code', () => {
  it('is moot when a newer one exists: its retry leaves the newer code alone', async () => {
    const first = await forgot();
    const second = await forgot();
    await workWith()(second);
    await workWith()(first);
    expect(sent).toHaveLength(1);
    expect((await requests()).map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(await create(sentCode())).toBe(200);
  });

  it('is moot before the newer one is done, too', async () => {
    const first = await forgot();
    await forgot();
    await workWith()(first);
    expect(sent).toEqual([]);
    expect(await hasLivingCode()).toBe(false);
  });

  it('is moot, too, when the newer one comes while its own mail is being made', async () => {
    const gate = { reached: deferred(), opened: deferred() };
    const slow = workWith({ gate })(await forgot());
    await gate.reached.promise;
    await workWith()(await forgot());
    gate.opened.resolve();
    await slow;
    expect(sent).toHaveLength(1);
    expect(await create(sentCode())).toBe(200);
  });

  it('makes a new code when it is tried again itself', async () => {
    const request = await forgot();
    await expect(workWith({ failsAfterwards: true })(request)).rejects.toThrow('connection lost');
    const lost = sentCode();
    await workWith()(request);
    expect(await create(lost)).toBe(400);
    expect(await create(sentCode())).toBe(200);
  });
});

describe('setting a password with a code', () => {
  it('ends the requests that are still to be tried', async () => {
    const request = await forgot();
    await expect(workWith({ failsAfterwards: true })(request)).rejects.toThrow('connection lost');
    expect(await create(sentCode())).toBe(200);
    expect((await requests()).map(({ isDone }) => isDone)).toEqual([true]);
    await workWith()(request);
    expect(sent).toHaveLength(1);
    expect(await hasLivingCode()).toBe(false);
  });

  it('ends a request whose mail is being made at that moment', async () => {
    const request = await forgot();
    await expect(workWith({ failsAfterwards: true })(request)).rejects.toThrow('connection lost');
    const gate = { reached: deferred(), opened: deferred() };
    const retry = workWith({ gate })(request);
    await gate.reached.promise;
    expect(await create(sentCode())).toBe(200);
    gate.opened.resolve();
    await retry;
    expect(sent).toHaveLength(1);
    expect(await hasLivingCode()).toBe(false);
  });

  it('tells the owner what to do about API keys and webhook endpoints', async () => {
    await workWith()(await forgot());
    expect(await create(sentCode())).toBe(200);
    const rows = await environment.database.query(
      `SELECT o.* FROM outbox o JOIN accounts a ON a.id = o.account_id
        WHERE a.email = $1 AND topic = 'password-changed-mail'`,
      [account.email],
    );
    await workWith()({ accountId: BigInt(String(rows[0]?.account_id)), id: BigInt(String(rows[0]?.id)) });
    expect(sent.at(-1)?.text).toContain(
      'API keys and webhook endpoints that were not ended with it go on: if this was not you, end them as well.',
    );
  });
});

describe('at the same time as a code is being stored', () => {
  let blocker: pg.Client;

  beforeEach(async () => {
    blocker = new pg.Client({ connectionString: environment.database.url });
    await blocker.connect();
    await blocker.query('BEGIN');
  });

  afterEach(async () => {
    await blocker.end();
  });

  const waiting = (count: number) => waitFor(async () => (await countLockWaits(environment.database)) === count);

  it('a newer request ends that code', async () => {
    const first = await forgot();
    await blocker.query(`INSERT INTO reset_codes (account_id, code_hash, expires_at) VALUES ($1, 'x', now())`, [
      first.accountId,
    ]);
    const storing = workWith()(first);
    await waiting(1);
    const asking = forgot();
    await Promise.race([asking, waiting(2)]);
    await blocker.query('ROLLBACK');
    await Promise.all([storing, asking]);
    expect(await hasLivingCode()).toBe(false);
  });

  it('the use of the code before it waits, and does not deadlock', async () => {
    const request = await forgot();
    await expect(workWith({ failsAfterwards: true })(request)).rejects.toThrow('connection lost');
    await blocker.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [request.accountId]);
    const retry = workWith()(request);
    await waiting(1);
    const creating = create(sentCode());
    await waiting(2);
    await blocker.query('ROLLBACK');
    await retry;
    expect(await creating).toBe(400);
    expect(await create(sentCode())).toBe(200);
  });
});
