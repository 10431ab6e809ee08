import { describe, expect, it } from '@jest/globals';
import { inventAccount, registerAndLogIn, type TestAccount, type TestClient } from '#testing/client.js';
import { linkTokenIn } from '#testing/mails.js';
import { ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const VERIFY = 'Confirm your e-mail address';
const RESEND = '/auth/account/resend-verification-email';
const INVALID = { status: 400, error: 'Invalid or expired verification token' };
const WRONG_PASSWORD = { status: 400, error: 'The password is incorrect' };

const api = withTestApi({ hasWorker: true, settings: { BCRYPT_COST: '10' } });

const confirm = (token: string, password: string) =>
  api.client.post('/auth/account/confirm-email', { token, password });
const open = (token: string) => api.client.get(`/auth/account/verify-email?token=${token}`);
const tokenFor = async (account: TestAccount, count = 1) => linkTokenIn(await api.mailTo(account, VERIFY, count));

async function stateOf({ email }: TestAccount) {
  const [row] = await api.database.query(
    'SELECT email_verified_at IS NOT NULL AS verified, email_proved_at IS NOT NULL AS proved FROM accounts WHERE email = $1',
    [email],
  );
  return row;
}

const typesOf = async (client: TestClient) =>
  ok(await client.get('/account-events?sort_direction=asc'), 200).data.map(({ type }: { type: string }) => type);

describe('confirm-email', () => {
  it('proves the address with the token and the password, once', async () => {
    const account = await registerAndLogIn(api.client);
    const token = await tokenFor(account);
    const answer = await confirm(token, account.password);
    expect([answer.status, answer.body]).toEqual([200, { message: 'E-mail address confirmed' }]);
    expect(await stateOf(account)).toEqual({ verified: true, proved: true });
    expect((await confirm(token, account.password)).body).toEqual(INVALID);
    expect((await open(token)).body).toEqual(INVALID);
    expect(await typesOf(account.client)).toEqual(['registered', 'login', 'email-verified', 'email-proved']);
  });

  it('proves it after a program has opened the link, which is no proof', async () => {
    const account = await registerAndLogIn(api.client);
    const token = await tokenFor(account);
    ok(await open(token), 200);
    expect(await stateOf(account)).toEqual({ verified: true, proved: false });
    expect((await open(token)).body).toEqual(INVALID);
    ok(await confirm(token, account.password), 200);
    expect(await stateOf(account)).toEqual({ verified: true, proved: true });
    expect(await typesOf(account.client)).toEqual(['registered', 'login', 'email-verified', 'email-proved']);
  });

  it('refuses a wrong password, says so in the events, and keeps the token', async () => {
    const account = await registerAndLogIn(api.client);
    const token = await tokenFor(account);
    expect((await confirm(token, 'some other password')).body).toEqual(WRONG_PASSWORD);
    expect(await stateOf(account)).toEqual({ verified: false, proved: false });
    const [refused] = ok(await account.client.get('/account-events?type=password-refused'), 200).data;
    expect(refused.actor).toEqual({ type: 'unknown', account_id: null, api_key_id: null, name: null });
    ok(await confirm(token, account.password), 200);
  });

  it('gives no try of a password without the token of a mail', async () => {
    const account = await registerAndLogIn(api.client);
    const token = await tokenFor(account);
    const { password } = account;
    for (const wrong of ['nonsense', `${token.split('.')[0]}.${'a'.repeat(43)}`, `999999.${'a'.repeat(43)}`]) {
      expect((await confirm(wrong, password)).body).toEqual(INVALID);
      expect((await confirm(wrong, 'some other password')).body).toEqual(INVALID);
    }
    await api.database.query(`UPDATE verification_tokens SET expires_at = now() - interval '1 s'`);
    expect((await confirm(token, password)).body).toEqual(INVALID);
    expect(await typesOf(account.client)).not.toContain('password-refused');
  });

  it('gives 20 tries of a password in 15 minutes', async () => {
    const account = await registerAndLogIn(api.client);
    const token = await tokenFor(account);
    for (let tries = 0; tries < 20; tries += 1) {
      expect((await confirm(token, 'some other password')).body).toEqual(WRONG_PASSWORD);
    }
    expect((await confirm(token, account.password)).status).toBe(429);
    expect(await stateOf(account)).toEqual({ verified: false, proved: false });
  });

  it('takes one of two parallel uses of a token', async () => {
    const account = await registerAndLogIn(api.client);
    const token = await tokenFor(account);
    const answers = await Promise.all([confirm(token, account.password), confirm(token, account.password)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('lists all that is missing', async () => {
    const answer = await api.client.post('/auth/account/confirm-email', {});
    expect(answer.body.message).toEqual(['token should not be empty', 'password should not be empty']);
    expect((await confirm('nonsense', inventAccount().password)).body).toEqual(INVALID);
  });
});

describe('verification mails', () => {
  it('are sent again until the address is proved', async () => {
    const account = await registerAndLogIn(api.client);
    ok(await open(await tokenFor(account)), 200);
    ok(await account.client.post(RESEND), 200);
    ok(await confirm(await tokenFor(account, 2), account.password), 200);
    const { message } = ok(await account.client.post(RESEND), 200);
    expect(message).toBe('The e-mail address is already verified');
    const sent = await api.database.query(
      `SELECT 1 FROM outbox o JOIN accounts a ON a.id = o.account_id WHERE a.email = $1 AND topic = 'verification-mail'`,
      [account.email],
    );
    expect(sent).toHaveLength(2);
  });

  it('are asked for five times an hour at most', async () => {
    const account = await registerAndLogIn(api.client);
    for (let mails = 0; mails < 5; mails += 1) ok(await account.client.post(RESEND), 200);
    const refused = await account.client.post(RESEND);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  });
});
