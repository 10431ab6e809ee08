import { describe, expect, it } from '@jest/globals';
import { inventAccount, registerAndLogIn, type TestAccount } from '#testing/client.js';
import { linkTokenIn } from '#testing/mails.js';
import { ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// The worker writes mails to files here; apps/worker tests against an SMTP server.

const VERIFY = 'Confirm your e-mail address';
const RESEND = '/auth/account/resend-verification-email';
const INVALID = { status: 400, error: 'Invalid or expired verification token' };
const WRONG_PASSWORD = { status: 400, error: 'The password is incorrect' };

const api = withTestApi({ hasWorker: true });

const confirm = (token: string, password: string) =>
  api.client.post('/auth/account/confirm-email', { token, password });
const open = (token: string) => api.client.get(`/auth/account/verify-email?token=${token}`);
const tokenFor = async (account: TestAccount, count = 1) => linkTokenIn(await api.mailTo(account, VERIFY, count));

describe('verify-email', () => {
  it('verifies with the token from the mail, which links to the address of the app, once', async () => {
    const account = await registerAndLogIn(api.client);
    const { raw } = await api.mailTo(account, VERIFY);
    expect(raw).toContain('http://ledger.test/auth/account/verify-email?token=');
    expect(raw).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
    const token = await tokenFor(account);
    const answer = await open(token);
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }]);
    const again = await open(token);
    expect([again.status, again.body]).toEqual([400, INVALID]);
  });

  it('answers a missing token in the validation shape', async () => {
    const answer = await api.client.get('/auth/account/verify-email');
    expect(answer.body).toEqual({ message: ['token should not be empty'], error: 'Bad Request', statusCode: 400 });
  });
});

describe('confirm-email', () => {
  it('proves the address with the token and the password, once, after which no mail is sent again', async () => {
    const account = await registerAndLogIn(api.client);
    ok(await account.client.post(RESEND), 200);
    const token = await tokenFor(account, 2);
    expect((await confirm(token, 'some other password')).body).toEqual(WRONG_PASSWORD);
    const answer = await confirm(token, account.password);
    expect([answer.status, answer.body]).toEqual([200, { message: 'E-mail address confirmed' }]);
    expect((await confirm(token, account.password)).body).toEqual(INVALID);
    const { message } = ok(await account.client.post(RESEND), 200);
    expect(message).toBe('The e-mail address is already verified');
  });

  it('gives 20 tries of a password in 15 minutes, and none without a token', async () => {
    const account = await registerAndLogIn(api.client);
    const token = await tokenFor(account);
    for (let tries = 0; tries < 25; tries += 1) {
      expect((await confirm(`${token.split('.')[0]}.${'a'.repeat(43)}`, account.password)).body).toEqual(INVALID);
    }
    for (let tries = 0; tries < 20; tries += 1) {
      expect((await confirm(token, 'some other password')).body).toEqual(WRONG_PASSWORD);
    }
    expect((await confirm(token, account.password)).status).toBe(429);
  });

  it('lists all that is missing', async () => {
    const answer = await api.client.post('/auth/account/confirm-email', {});
    expect(answer.body.message).toEqual(['token should not be empty', 'password should not be empty']);
    expect((await confirm('nonsense', inventAccount().password)).body).toEqual(INVALID);
  });
});

describe('verification mails', () => {
  it('are asked for five times an hour at most', async () => {
    const account = await registerAndLogIn(api.client);
    for (let mails = 0; mails < 5; mails += 1) ok(await account.client.post(RESEND), 200);
    const refused = await account.client.post(RESEND);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  });
});
