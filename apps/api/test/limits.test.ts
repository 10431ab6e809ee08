import { describe, expect, it } from '@jest/globals';
import { inventAccount, logIn, register, registerAndLogIn, type TestClient } from '#testing/client.js';
import { startTestApi } from '#testing/parts.js';
import { addPerson } from '#testing/people.js';
import { unlessStandingStill } from '#testing/standstills.js';
import { generateKeys, ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ processes: 2, settings: { TRUST_PROXY: '1' } });

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
const LOGIN = '/auth/login/account';

async function tryUntilRefused(attempt: (index: number) => Promise<{ status: number }>, atMost: number) {
  for (let index = 0; index < atMost; index += 1) {
    if ((await attempt(index)).status === 429) return index;
  }
  return atMost;
}

describe('rate limits', () => {
  it('stop the guessing of a password, across processes, with an honest Retry-After', async () => {
    const account = await register(api.client);
    const wrong = { email: account.email, password: 'wrong password' };
    const guess = (index: number) => (api.clients[index % 2] as TestClient).post(LOGIN, wrong, from('10.0.0.1'));
    expect(await tryUntilRefused(guess, 40)).toBe(20);
    const refused = await api.client.post(LOGIN, { ...wrong, password: account.password }, from('10.0.0.1'));
    expect([refused.status, refused.body]).toEqual([429, { status: 429, error: 'Too many requests: try again later' }]);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(800);
    expect(wait).toBeLessThanOrEqual(900);
    // The owner can still log in from another address.
    expect(
      (await api.client.post(LOGIN, { email: account.email, password: account.password }, from('10.0.0.2'))).status,
    ).toBe(200);
  });

  it('stop the guessing of an own password by a person or with a key, and leave the colleagues of both alone', async () => {
    const account = await registerAndLogIn(api.client);
    const { base64 } = await generateKeys(account);
    const accountId = Number(account.token.split('.')[0]);
    const { client: viewer } = await addPerson(api.database, account.client, { accountId, role: 'viewer' });
    const body = {
      password: 'wrong password',
      new_password: 'battery staple',
      password_confirmation: 'battery staple',
    };
    for (const caller of [viewer, api.client.as({ base64 })]) {
      const guess = () => caller.post('/auth/account/reset-password', body);
      expect(await tryUntilRefused(guess, 40)).toBe(20);
    }
    expect((await viewer.post('/auth/account/confirm', { password: 'wrong password' })).status).toBe(429);
    ok(await account.client.post('/auth/account/confirm', { password: account.password }), 200);
  });

  it('do not count what was rightful', async () => {
    const account = await register(api.client);
    const rightful = { email: account.email, password: account.password };
    expect(await tryUntilRefused(() => api.client.post(LOGIN, rightful, from('10.0.0.3')), 25)).toBe(25);
  });

  // A login waits for its turn for some seconds.

  it('let any number of rightful logins through at once', () =>
    unlessStandingStill(async () => {
      const account = await register(api.client);
      const rightful = { email: account.email, password: account.password };
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => api.client.post(LOGIN, rightful, from('10.0.0.6'))),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
    }, api.database));

  it('hold against parallel guesses', () =>
    unlessStandingStill(async () => {
      const account = await register(api.client);
      const wrong = { email: account.email, password: 'wrong password' };
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => api.client.post(LOGIN, wrong, from('10.0.0.7'))),
      );
      const checked = answers.filter(({ status }) => status === 401).length;
      expect(checked).toBeGreaterThanOrEqual(20);
      expect(checked).toBeLessThanOrEqual(23);
      expect(checked + answers.filter(({ status }) => status === 429).length).toBe(60);
    }, api.database));

  it('are the same for an unknown e-mail', async () => {
    const nobody = { email: 'nobody-at-all@example.com', password: 'wrong password' };
    expect(await tryUntilRefused(() => api.client.post(LOGIN, nobody, from('10.0.0.4')), 40)).toBe(20);
  });

  it('bound the mails that one address can be sent', async () => {
    const body = { email: 'flooded@example.com' };
    const answers = await Promise.all(
      Array.from({ length: 310 }, (_, index) =>
        api.client.post('/auth/account/forgot-password', body, from(`10.1.${index % 8}.1`)),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(300);
  });

  it('let an owner recover the account while a stranger tries to', async () => {
    const { email } = await register(api.client);
    const ask = (address: string) => api.client.post('/auth/account/forgot-password', { email }, from(address));
    const guessed = { email, token: '00000000', password: 'a new password', password_confirmation: 'a new password' };
    const guess = (address: string) =>
      api.client.post('/auth/account/create-password-for-forgot-password', guessed, from(address));
    const asked = await Promise.all(Array.from({ length: 65 }, () => ask('10.0.0.8')));
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(await tryUntilRefused(() => guess('10.0.0.8'), 40)).toBe(30);
    expect((await ask('10.0.0.9')).status).toBe(200);
    expect((await guess('10.0.0.9')).status).toBe(400);
  });

  it('take all addresses of an IPv6 network for one', async () => {
    const { email } = await register(api.client);
    const wrong = { email, password: 'wrong password' };
    const guess = (index: number) => api.client.post(LOGIN, wrong, from(`2001:db8:1:2::${index}`));
    expect(await tryUntilRefused(guess, 40)).toBe(20);
    expect((await api.client.post(LOGIN, wrong, from('2001:db8:1:3::1'))).status).toBe(401);
    const ask = (index: number) => api.client.get('/auth/account/verify-email?token=x', from(`2001:db8:1:4::${index}`));
    expect(await tryUntilRefused(ask, 400)).toBe(300);
  });

  it('bound the registrations of one network, and of that network only', async () => {
    const registerFrom = (address: string, body: object = {}) =>
      api.client.post('/auth/register/account', body, from(address));
    // The limit counts before the API looks at the request, so these need no password hash.
    expect(await tryUntilRefused((index) => registerFrom(`2001:db8:1:5::${index}`), 280)).toBe(200);
    expect((await registerFrom('2001:db8:1:5::1', inventAccount())).status).toBe(429);
    expect((await registerFrom('2001:db8:1:6::1', inventAccount())).status).toBe(201);
  });

  it('bound what one address may ask of a route, and of that route only', async () => {
    const ask = () => api.client.get('/auth/account/verify-email?token=x', from('10.0.0.5'));
    expect(await tryUntilRefused(ask, 400)).toBe(300);
    expect((await api.client.post(LOGIN, { email: 'a@b.cc', password: 'x' }, from('10.0.0.5'))).status).toBe(401);
  });

  it('store no address and no e-mail in Redis', async () => {
    const keys = await api.environment.dumpRedis();
    expect(keys).toContain(':limit:');
    expect(keys).not.toContain('10.0.0.1');
    expect(keys).not.toContain('@example.com');
  });

  it('can be lifted', async () => {
    const lifted = await startTestApi(api.environment, { RATE_LIMITS: 'off' });
    try {
      const account = await register(lifted.client, inventAccount());
      const wrong = { email: account.email, password: 'wrong password' };
      expect(await tryUntilRefused(() => lifted.client.post(LOGIN, wrong), 25)).toBe(25);
      await logIn(lifted.client, account);
    } finally {
      await lifted.close();
    }
  });
});
