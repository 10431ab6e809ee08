import { describe, expect, it } from '@jest/globals';
import { register, registerAndLogIn, type TestAccount } from '#testing/client.js';
import { linkTokenIn } from '#testing/mails.js';
import { withTestApi } from '#testing/with-test-api.js';

// The worker writes mails to files here; apps/worker tests against an SMTP server.

const VERIFY = 'Confirm your e-mail address';

const api = withTestApi({ hasWorker: true });

async function verifiedAt({ email }: TestAccount): Promise<unknown> {
  const [row] = await api.database.query('SELECT email_verified_at FROM accounts WHERE email = $1', [email]);
  return row?.email_verified_at;
}

describe('verify-email', () => {
  it('verifies with the token from the mail, once', async () => {
    const account = await register(api.client);
    const token = linkTokenIn(await api.mailTo(account, VERIFY));
    expect(await verifiedAt(account)).toBeNull();
    const answer = await api.client.get(`/auth/account/verify-email?token=${token}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: expect.any(String) });
    expect(await verifiedAt(account)).toBeInstanceOf(Date);
    const again = await api.client.get(`/auth/account/verify-email?token=${token}`);
    expect([again.status, again.body]).toEqual([400, { status: 400, error: 'Invalid or expired verification token' }]);
  });

  it('links to the address of the app', async () => {
    const account = await register(api.client);
    const { raw } = await api.mailTo(account, VERIFY);
    expect(raw).toContain('http://ledger.test/auth/account/verify-email?token=');
    expect(raw).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
  });

  it('refuses an expired token, and one that is none', async () => {
    const account = await register(api.client);
    const token = linkTokenIn(await api.mailTo(account, VERIFY));
    await api.database.query(`UPDATE verification_tokens SET expires_at = now() - interval '1 s'`);
    for (const wrong of [token, 'nonsense', `1.${'a'.repeat(43)}`]) {
      const answer = await api.client.get(`/auth/account/verify-email?token=${wrong}`);
      expect(answer.body).toEqual({ status: 400, error: 'Invalid or expired verification token' });
    }
    expect(await verifiedAt(account)).toBeNull();
  });

  it('answers a missing token in the validation shape', async () => {
    const answer = await api.client.get('/auth/account/verify-email');
    expect(answer.body).toEqual({ message: ['token should not be empty'], error: 'Bad Request', statusCode: 400 });
  });

  it('sends the mail again on request, and both links work until one is used', async () => {
    const account = await registerAndLogIn(api.client);
    const first = linkTokenIn(await api.mailTo(account, VERIFY));
    expect((await account.client.post('/auth/account/resend-verification-email')).status).toBe(200);
    const second = linkTokenIn(await api.mailTo(account, VERIFY, 2));
    expect(second).not.toBe(first);
    expect((await api.client.get(`/auth/account/verify-email?token=${first}`)).status).toBe(200);
    expect((await api.client.get(`/auth/account/verify-email?token=${second}`)).status).toBe(400);
  });
});
