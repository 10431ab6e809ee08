import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { registerAndLogIn } from '#testing/client.js';
import { countLockWaits } from '#testing/databases.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { linkTokenIn, mailsInFolder, waitForMail } from '#testing/mails.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';

// Every transaction locks an account before its tokens: otherwise two requests could deadlock, and one would fail.

let environment: TestEnvironment;
let api: TestPart;
let worker: { close(): Promise<void> };
let other: pg.Client;

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
  worker = await startTestWorker(environment);
  other = new pg.Client({ connectionString: environment.database.url });
  await other.connect();
});

afterAll(async () => {
  await other?.end();
  await worker?.close();
  await api?.close();
  await environment?.close();
});

const isLockAwaited = async () => (await countLockWaits(environment.database)) > 0;

/** Starts the call while another transaction locks the account; that transaction then locks the account's tokens, too. */
async function besideTransactionThatLocks(
  table: string,
  email: string,
  call: () => Promise<{ readonly status: number }>,
) {
  await other.query('BEGIN');
  const { rows } = await other.query('SELECT id FROM accounts WHERE email = $1 FOR UPDATE', [email]);
  const calling = call();
  await waitFor(isLockAwaited);
  await other.query(`UPDATE ${table} SET expires_at = expires_at WHERE account_id = $1`, [rows[0].id]);
  await other.query('COMMIT');
  return (await calling).status;
}

describe('beside a transaction that locks the account and then its tokens', () => {
  it('keys are generated', async () => {
    const { client, email } = await registerAndLogIn(api.client);
    const generate = () => client.post('/auth/account/generate-keys');
    expect(await besideTransactionThatLocks('access_tokens', email, generate)).toBe(201);
  });

  it('an e-mail is verified', async () => {
    const { email } = await registerAndLogIn(api.client);
    const readMails = () => mailsInFolder(`${environment.folder}/mail`);
    const token = linkTokenIn(await waitForMail(readMails, { to: email, subject: 'Confirm your e-mail address' }));
    const verify = () => api.client.get(`/auth/account/verify-email?token=${token}`);
    expect(await besideTransactionThatLocks('verification_tokens', email, verify)).toBe(200);
  });
});

describe('60 requests for a reset code of one account', () => {
  it('wait for its row with one connection, and leave the others to everyone else', async () => {
    const { email, client } = await registerAndLogIn(api.client);
    await other.query('BEGIN');
    await other.query('SELECT FROM accounts WHERE email = $1 FOR UPDATE', [email]);
    const ask = () => api.client.post('/auth/account/forgot-password', { email });
    const asked = Promise.all(Array.from({ length: 60 }, ask));
    await waitFor(isLockAwaited);
    const meanwhile = await client.get('/account/user');
    const waiting = await environment.database.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT 1 FROM accounts WHERE id%'`,
    );
    await other.query('COMMIT');
    expect([meanwhile.status, waiting.length]).toEqual([200, 1]);
    expect((await asked).map(({ status }) => status)).toEqual(Array(60).fill(200));
  });
});
