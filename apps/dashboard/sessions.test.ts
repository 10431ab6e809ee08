import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inventAccount, type LoggedIn, register, registerAndLogIn, type TestAccount } from '#testing/client.js';
import { logInAtDashboard, postForm } from '#testing/dashboard-session.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, startTestDashboard, type TestPart } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';

let environment: TestEnvironment;
let api: TestPart;
/** It stands behind one proxy, which says where a request comes from and whether it came over TLS. */
let dashboard: TestPart;
let admin: LoggedIn;

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
  dashboard = await startTestDashboard(environment, { TRUST_PROXY: '1' });
  admin = await newAdmin();
});

afterAll(async () => {
  await dashboard?.close();
  await api?.close();
  await environment?.close();
});

const setRole = (email: string, role: string) =>
  environment.database.query('UPDATE accounts SET role = $2 WHERE email = $1', [email, role]);

/** By an admin through the API, which answers when every process knows of it. */
async function changeAccount(email: string, change: object): Promise<void> {
  const rows = await environment.database.query('SELECT id FROM accounts WHERE email = $1', [email]);
  const answer = await admin.client.patch(`/admin/accounts/${rows[0]?.id}`, change);
  expect(answer.status).toBe(200);
}

async function newAdmin(): Promise<LoggedIn> {
  const account = await registerAndLogIn(api.client);
  await setRole(account.email, 'admin');
  return account;
}

const logIn = ({ email, password }: Pick<TestAccount, 'email' | 'password'>, headers: Record<string, string> = {}) =>
  postForm(dashboard.client, '/login', { fields: { email, password }, headers });

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0] ?? '';
const tokenIn = (cookie: string) => /=([^;]*)/.exec(cookie)?.[1] ?? '';
const statusWith = async (cookie: string) =>
  (await dashboard.client.get('/api/queues', { headers: { Cookie: cookie } })).status;

describe('a log-in', () => {
  it('puts the session into a cookie for the server alone, of this site alone', async () => {
    const answer = await logIn(admin);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(cookieOf(answer)).toMatch(/^ledger-session=\d+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(await statusWith(cookieOf(answer))).toBe(200);
    expect(await answer.text()).not.toContain(tokenIn(cookieOf(answer)));
  });

  it('binds the cookie to TLS and to the host, when the proxy speaks TLS', async () => {
    const overTls = { 'X-Forwarded-Proto': 'https' };
    const cookie = cookieOf(await logIn(admin, overTls));
    expect(cookie).toMatch(/^__Host-ledger-session=\S+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const ask = async (name: string) => {
      const headers = { ...overTls, Cookie: `${name}=${tokenIn(cookie)}` };
      return (await dashboard.client.get('/api/queues', { headers })).status;
    };
    expect([await ask('__Host-ledger-session'), await ask('ledger-session')]).toEqual([200, 401]);
  });

  it('starts a new session, and ends the one that the browser had', async () => {
    const before = cookieOf(await logIn(admin));
    const after = cookieOf(await logIn(admin, { Cookie: before }));
    expect(tokenIn(after)).not.toBe(tokenIn(before));
    expect([await statusWith(before), await statusWith(after)]).toEqual([401, 200]);
    const planted = cookieOf(await logIn(admin, { Cookie: 'ledger-session=1.planted' }));
    expect(tokenIn(planted)).not.toBe('1.planted');
  });

  it('is refused to all but admins in the same words', async () => {
    const business = await registerAndLogIn(api.client);
    const refused = [
      await logIn({ ...admin, password: 'wrong password' }),
      await logIn(business),
      await logIn(inventAccount()),
      await postForm(dashboard.client, '/login'),
    ];
    const texts = await Promise.all(refused.map((answer) => answer.text()));
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('This is not the e-mail and the password of an admin.');
    expect(texts[0]).toContain('<input name="password" type="password" autocomplete="current-password" required>');
    expect(refused.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    const tokens = await environment.database.query(
      'SELECT count(*)::int AS tokens FROM access_tokens t JOIN accounts a ON a.id = t.account_id WHERE a.email = $1',
      [business.email],
    );
    expect(tokens).toEqual([{ tokens: 1 }]); // the one of the API
  });

  it('takes only what may be an e-mail, so that no other spelling has guesses of its own', async () => {
    const kim = { ...inventAccount(), email: `kim-${admin.email}` };
    await register(api.client, kim);
    await setRole(kim.email, 'admin');
    expect((await logIn(kim)).status).toBe(303);
    // The Kelvin sign and the dotted capital I become an ASCII letter in lower case.
    for (const email of [kim.email.replace('k', '\u212a'), kim.email.replace('i', '\u0130'), `\0${kim.email}`]) {
      expect((await logIn({ ...kim, email })).status).toBe(401);
    }
    expect((await logIn({ ...kim, password: `${kim.password}\0` })).status).toBe(401);
  });

  it('takes a password with colons and spaces whole', async () => {
    const account = { ...inventAccount(), password: ' a:b:c password ' };
    await register(api.client, account);
    await setRole(account.email, 'admin');
    for (const password of ['a:b:c password', ' a', ' a:b:c password :more']) {
      expect((await logIn({ ...account, password })).status).toBe(401);
    }
    expect((await logIn(account)).status).toBe(303);
  });

  it('is not made by another site', async () => {
    const elsewhere = [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }, { Origin: 'null' }];
    for (const headers of elsewhere) {
      const answer = await logIn(admin, headers);
      expect([answer.status, cookieOf(answer)]).toEqual([403, '']);
    }
    expect((await logIn(admin, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(303);
  });
});

describe('guesses', () => {
  it('of one password end after 20 from one network, with any of its addresses', async () => {
    const guessed = await newAdmin();
    const guess = (attempt: number) =>
      logIn({ ...guessed, password: 'wrong password' }, { 'X-Forwarded-For': `2001:db8:1:2::${attempt}` });
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 22; attempt += 1) statuses.push((await guess(attempt)).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
    expect((await logIn(guessed, { 'X-Forwarded-For': '2001:db8:1:3::1' })).status).toBe(303);
  });

  it('of any kind end after 300 in a minute from one network', async () => {
    const tries = Array.from({ length: 301 }, (_, attempt) => ({
      fields: { email: 'no e-mail', password: 'x' },
      headers: { 'X-Forwarded-For': `2001:db8:9:9::${attempt}` },
    }));
    const statuses: number[] = [];
    for (const form of tries) statuses.push((await postForm(dashboard.client, '/login', form)).status);
    expect(statuses.slice(-2)).toEqual([401, 429]);
  });
});

describe('invented sessions', () => {
  it('cost at most 300 look-ups a minute from one network', async () => {
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 301; attempt += 1) {
      const Cookie = `ledger-session=${attempt}.${'x'.repeat(43)}`;
      const headers = { Cookie, 'X-Forwarded-For': `2001:db8:7:7::${attempt}` };
      statuses.push((await dashboard.client.get('/api/queues', { headers })).status);
    }
    expect(statuses.slice(-2)).toEqual([401, 429]);
  });
});

describe('a session', () => {
  it('ends with a log-out, which a link or another site cannot make', async () => {
    const browser = await logInAtDashboard(dashboard.client, admin);
    expect((await browser.get('/logout')).body).toContain('<form method="post" action="/logout">');
    expect((await postForm(browser, '/logout', { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403);
    expect((await browser.get('/api/queues')).status).toBe(200);
    const answer = await postForm(browser, '/logout');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login']);
    expect(cookieOf(answer)).toMatch(/^ledger-session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    expect((await browser.get('/api/queues')).status).toBe(401);
  });

  it('ends at once with the role, with a new password and with all access', async () => {
    const former = await newAdmin();
    const first = await logInAtDashboard(dashboard.client, former);
    expect((await first.get('/api/queues')).status).toBe(200);
    await changeAccount(former.email, { role: 'business' });
    expect((await first.get('/api/queues')).status).toBe(401);
    await changeAccount(former.email, { role: 'admin' });
    const change = { new_password: 'a new password', password_confirmation: 'a new password' };
    const reset = { password: former.password, ...change };
    expect((await former.client.post('/auth/account/reset-password', reset)).status).toBe(200);
    expect((await first.get('/api/queues')).status).toBe(401);
    const second = await logInAtDashboard(dashboard.client, { ...former, password: 'a new password' });
    expect((await second.get('/api/queues')).status).toBe(200);
    expect((await former.client.post('/auth/logout/account?logout_all=true')).status).toBe(200);
    expect((await second.get('/api/queues')).status).toBe(401);
  });

  it('ends with a log-out also when the account is no admin any more', async () => {
    const former = await newAdmin();
    const cookie = cookieOf(await logIn(former));
    const ofToken = async () => (await api.client.as({ token: tokenIn(cookie) }).get('/auth/account/me')).status;
    await changeAccount(former.email, { role: 'business' });
    expect(await ofToken()).toBe(200);
    expect((await postForm(dashboard.client, '/logout', { headers: { Cookie: cookie } })).status).toBe(303);
    expect(await ofToken()).toBe(401);
  });

  it('is of active admins alone', async () => {
    const suspended = await newAdmin();
    const browser = await logInAtDashboard(dashboard.client, suspended);
    expect((await browser.get('/api/queues')).status).toBe(200);
    await changeAccount(suspended.email, { status: 'suspended' });
    expect((await browser.get('/api/queues')).status).toBe(401);
    expect((await logIn(suspended)).status).toBe(401);
  });

  it('lives for 8 hours at most', async () => {
    const owner = await newAdmin();
    await logInAtDashboard(dashboard.client, owner);
    const rows = await environment.database.query(
      `SELECT extract(epoch FROM t.expires_at - t.created_at) / 3600 AS hours FROM access_tokens t
         JOIN accounts a ON a.id = t.account_id WHERE a.email = $1 ORDER BY t.id`,
      [owner.email],
    );
    expect(rows.map(({ hours }) => Math.round(Number(hours)))).toEqual([24, 8]);
  });

  it('is named by its admin in the log, from the log-in on', async () => {
    const [{ id } = { id: 0 }] = await environment.database.query('SELECT id::int FROM accounts WHERE email = $1', [
      admin.email,
    ]);
    const cookie = cookieOf(await logIn(admin, { 'X-Request-Id': 'log-in' }));
    await dashboard.client.get('/api/queues', { headers: { Cookie: cookie, 'X-Request-Id': 'look' } });
    const accountOf = async (requestId: string) => {
      const line = await waitFor(() => environment.logLines.find((text) => text.includes(`"id":"${requestId}"`)));
      return JSON.parse(line).account_id;
    };
    expect([await accountOf('log-in'), await accountOf('look')]).toEqual([id, id]);
  });
});
