import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { inventAccount, type LoggedIn, register, registerAndLogIn, type TestAccount } from '#testing/client.js';
import { cookieOf, logInAtConsole, postSession, withConsoleServer } from '#testing/console-session.js';
import { wrongKinds } from '#testing/hostile-requests.js';
import { startTestDashboard } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';

/** It stands behind one proxy, which says where a request comes from and whether it came over TLS. The API has no proxy. */
const { environment, api, console } = withConsoleServer({ ofConsole: { DASHBOARD_TRUST_PROXY: '1' } });
let redis: Redis;
let owner: LoggedIn;

beforeAll(async () => {
  redis = new Redis(environment.redisUrl);
  owner = await registerAndLogIn(api.client);
});

afterAll(() => redis?.disconnect());

const logIn = (account: Pick<TestAccount, 'email' | 'password'>, headers?: Record<string, string>) =>
  postSession(console.client, account, headers);

const idIn = (cookie: string) => /=([^;]*)/.exec(cookie)?.[1] ?? '';
const ME = '/api/auth/account/me';
const statusWith = async (cookie: string, headers: Record<string, string> = {}) =>
  (await console.client.get(ME, { headers: { Cookie: cookie, ...headers } })).status;
const placeOf = (cookie: string) =>
  `${environment.redisPrefix}:console:session:${createHash('sha256').update(idIn(cookie)).digest('base64url')}`;

const tokensOf = async ({ email }: TestAccount) => {
  const [row] = await environment.database.query(
    'SELECT count(*)::int AS tokens FROM access_tokens t JOIN accounts a ON a.id = t.account_id WHERE a.email = $1',
    [email],
  );
  return row?.tokens;
};

describe('a log-in', () => {
  it('puts the session into a cookie for the server alone, of this site alone', async () => {
    const answer = await logIn(owner);
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toMatch(/^console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(await statusWith(cookieOf(answer))).toBe(200);
    const { name, email } = owner;
    const account = { id: expect.any(Number), name, email, role: 'business' };
    const operator = { id: expect.any(Number), name, email, role: 'owner' };
    expect(answer.body).toEqual({ session: { account, operator, apiUrl: 'http://ledger.test' } });
  });

  it.each(['email', 'password'])('with a %s of the wrong kind gets 400', async (field) => {
    const right = { email: owner.email, password: owner.password };
    for (const [index, wrong] of wrongKinds.filter((value) => typeof value !== 'string').entries()) {
      const headers = { 'X-Forwarded-For': `10.9.${index}.1` };
      const body = { ...right, [field]: wrong };
      const answer = await console.client.post('/session?toString[length]=1&toString=2', body, { headers });
      expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ statusCode: 400 })]);
    }
  });

  it.each(['null', '[]', '"text"', '1', '{'])('that consists of %s gets 400', async (body) => {
    expect((await console.client.post('/session', body)).status).toBe(400);
    expect((await console.client.get('/session?a[toString]=1&a=2&constructor=3')).status).toBe(200);
  });

  it('leaves nothing in Redis that opens the account, and nothing of the token in any answer', async () => {
    const answer = await logIn(owner);
    const cookie = cookieOf(answer);
    const stored = (await redis.get(placeOf(cookie))) ?? '';
    const rows = await environment.database.query('SELECT account_id::int AS id FROM access_tokens LIMIT 1');
    expect(stored.length).toBeGreaterThan(40);
    const everything = `${await environment.dumpRedis()} ${Buffer.from(stored, 'base64').toString('latin1')}`;
    expect(everything).not.toContain(idIn(cookie));
    expect(everything).not.toMatch(/token/i);
    const session = await console.client.get('/session', { headers: { Cookie: cookie } });
    for (const { body, headers } of [answer, session]) {
      expect(`${JSON.stringify(body)} ${JSON.stringify([...headers])}`).not.toMatch(
        new RegExp(`\\b${rows[0]?.id}\\.[\\w-]{43}`),
      );
    }
  });

  it('binds the cookie to TLS and to the host, when the proxy speaks TLS', async () => {
    const overTls = { 'X-Forwarded-Proto': 'https' };
    const cookie = cookieOf(await logIn(owner, overTls));
    expect(cookie).toMatch(/^__Host-console=\S+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const ask = async (name: string) => {
      const headers = { ...overTls, Cookie: `${name}=${idIn(cookie)}` };
      return (await console.client.get(ME, { headers })).status;
    };
    expect([await ask('__Host-console'), await ask('console')]).toEqual([200, 401]);
  });

  it('starts a new session, and ends the one that the browser had', async () => {
    const account = await registerAndLogIn(api.client);
    const before = cookieOf(await logIn(account));
    const after = cookieOf(await logIn(account, { Cookie: before }));
    expect(idIn(after)).not.toBe(idIn(before));
    expect(await redis.exists(placeOf(before))).toBe(0);
    expect([await statusWith(before), await statusWith(after)]).toEqual([401, 200]);
    expect(await tokensOf(account)).toBe(2); // the one of the API, and the one of the second session
    const planted = 'p'.repeat(43);
    const fixed = cookieOf(await logIn(account, { Cookie: `console=${planted}` }));
    expect(idIn(fixed)).not.toBe(planted);
    expect(await statusWith(`console=${planted}`)).toBe(401);
  });

  it('is refused in the same words, whether or not the account exists', async () => {
    const refused = [await logIn({ ...owner, password: 'wrong password' }), await logIn(inventAccount())];
    const body = { status: 401, error: 'The e-mail or the password is wrong' };
    expect(refused.map((answer) => [answer.status, answer.body])).toEqual([
      [401, body],
      [401, body],
    ]);
    expect(refused.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  });

  it('takes only what may be an e-mail, so that no other spelling has guesses of its own', async () => {
    const kim = { ...inventAccount(), email: `kim-${owner.email}` };
    await register(api.client, kim);
    expect((await logIn(kim)).status).toBe(200);
    // The Kelvin sign and the dotted capital I become an ASCII letter in lower case.
    for (const email of [kim.email.replace('k', '\u212a'), kim.email.replace('i', '\u0130'), `\0${kim.email}`]) {
      expect((await logIn({ ...kim, email })).status).toBe(400);
    }
    const answers = [
      await console.client.post('/session', { email: kim.email }),
      await console.client.post('/session', '{"email":'),
      await console.client.post('/session', { ...kim, more: true }),
      await console.client.post('/session', { email: 'x'.repeat(5_000), password: 'x' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 413]);
    expect(answers.at(-1)?.body.error).toBe('The request body must not be larger than 4 KiB');
  });

  it('takes a password with colons and spaces whole', async () => {
    const account = { ...inventAccount(), password: ' a:b:c password ' };
    await register(api.client, account);
    for (const password of ['a:b:c password', ' a', ' a:b:c password :more']) {
      expect((await logIn({ ...account, password })).status).toBe(401);
    }
    expect((await logIn(account)).status).toBe(200);
  });

  it('is not made by another site', async () => {
    const elsewhere = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ];
    for (const headers of elsewhere) {
      const answer = await logIn(owner, headers);
      expect([answer.status, cookieOf(answer)]).toEqual([403, '']);
    }
    expect((await logIn(owner, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
  });
});

describe('guesses', () => {
  it('of one password end after 20 from one network, with any of its addresses', async () => {
    const guessed = await registerAndLogIn(api.client);
    const guess = (attempt: number) =>
      logIn({ ...guessed, password: 'wrong password' }, { 'X-Forwarded-For': `2001:db8:1:2::${attempt}` });
    const answers = [];
    for (let attempt = 1; attempt <= 22; attempt += 1) answers.push(await guess(attempt));
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(401), 429, 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await logIn(guessed, { 'X-Forwarded-For': '2001:db8:1:3::1' })).status).toBe(200);
  });

  it('of any kind end after 300 in a minute from one network', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt <= 300; attempt += 1) {
      const headers = { 'X-Forwarded-For': `2001:db8:9:9::${attempt}` };
      statuses.push((await logIn({ email: 'no e-mail', password: 'x' }, headers)).status);
    }
    expect(statuses.slice(-2)).toEqual([400, 429]);
  });
});

describe('a session', () => {
  it('ends with a log-out, which a link or another site cannot make', async () => {
    const account = await registerAndLogIn(api.client);
    const cookie = cookieOf(await logIn(account));
    const elsewhere = { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' };
    expect((await console.client.delete('/session', { headers: elsewhere })).status).toBe(403);
    expect([await statusWith(cookie), await tokensOf(account)]).toEqual([200, 2]);
    const answer = await console.client.delete('/session', { headers: { Cookie: cookie } });
    expect(answer.status).toBe(204);
    expect(cookieOf(answer)).toMatch(/^console=; Path=\/; Expires=Thu, 01 Jan 1970/);
    expect([await statusWith(cookie), await tokensOf(account)]).toEqual([401, 1]);
    expect(await redis.exists(placeOf(cookie))).toBe(0);
  });

  it('ends with its token while the API is down', async () => {
    const account = await registerAndLogIn(api.client);
    const lonely = await startTestDashboard(environment, { API_URL: 'http://127.0.0.1:1' });
    const cookie = cookieOf(await logIn(account));
    const answer = await lonely.client.delete('/session', { headers: { Cookie: cookie } });
    await lonely.close();
    expect([answer.status, await statusWith(cookie), await tokensOf(account)]).toEqual([204, 401, 1]);
    const { body } = await account.client.get('/account-events?type=session-ended');
    expect(body.data).toMatchObject([{ actor: { type: 'account', name: account.name }, address: '127.0.0.1' }]);
  });

  it('of a suspended account ends with its token', async () => {
    const account = await registerAndLogIn(api.client);
    const cookie = cookieOf(await logIn(account));
    await environment.database.query(`UPDATE accounts SET status = 'suspended' WHERE email = $1`, [account.email]);
    const answer = await console.client.delete('/session', { headers: { Cookie: cookie } });
    expect([answer.status, await statusWith(cookie), await tokensOf(account)]).toEqual([204, 401, 1]);
  });

  it('ends when the API ends its token, with an answer that takes the cookie away', async () => {
    const account = await registerAndLogIn(api.client);
    const cookie = cookieOf(await logIn(account));
    expect((await account.client.post('/auth/logout/account?logout_all=true')).status).toBe(200);
    const answer = await console.client.get(ME, { headers: { Cookie: cookie } });
    expect([answer.status, cookieOf(answer).split(';')[0]]).toEqual([401, 'console=']);
    expect(await redis.exists(placeOf(cookie))).toBe(0);
    const { body } = await console.client.get('/session', { headers: { Cookie: cookie } });
    expect(body).toEqual({ session: null });
  });

  it('lives for 8 hours at most, and half an hour without an act of a person', async () => {
    const cookie = cookieOf(await logIn(owner));
    const halfAnHour = 1_800_000;
    const life = () => redis.pttl(placeOf(cookie));
    expect(await life()).toBeGreaterThan(halfAnHour - 60_000);
    expect(await life()).toBeLessThanOrEqual(halfAnHour);
    await redis.pexpire(placeOf(cookie), 20_000);
    // What a page asks for by itself: its reads, its stream, its session.
    expect(await statusWith(cookie)).toBe(200);
    await console.client.get('/api/events/stream', { headers: { Cookie: cookie } });
    await console.client.get('/session', { headers: { Cookie: cookie } });
    expect(await life()).toBeLessThanOrEqual(20_000);
    expect(await statusWith(cookie, { 'Console-Person': '1' })).toBe(200);
    expect(await life()).toBeGreaterThan(halfAnHour - 60_000);
    await redis.pexpire(placeOf(cookie), 20_000);
    await console.client.get('/wagers', { headers: { Cookie: cookie, Accept: 'text/html' } });
    expect(await life()).toBeGreaterThan(halfAnHour - 60_000);
    await redis.del(placeOf(cookie));
    expect(await statusWith(cookie)).toBe(401);
  });

  it('ends its streams when no person acts, and not before', async () => {
    const Cookie = cookieOf(await logIn(owner)).split(';')[0] ?? '';
    await redis.pexpire(placeOf(Cookie), 1_500);
    const stream = await fetch(`${console.client.baseUrl}/api/events/stream`, { headers: { Cookie } });
    const end = expect(stream.text()).rejects.toThrow();
    // A person acts, and postpones the end.
    expect(await statusWith(Cookie, { 'Console-Person': '1' })).toBe(200);
    await redis.pexpire(placeOf(Cookie), 2_500);
    const before = performance.now();
    await end;
    expect(performance.now() - before).toBeGreaterThan(2_000);
  });

  it('is named by its account in the log, from the log-in on', async () => {
    const [{ id } = { id: 0 }] = await environment.database.query('SELECT id::int FROM accounts WHERE email = $1', [
      owner.email,
    ]);
    await logIn(owner, { 'X-Request-Id': 'log-in-1' });
    const accountsOf = (requestId: string) =>
      environment.logLines
        .filter((text) => text.includes(`"id":"${requestId}"`))
        .map((text) => JSON.parse(text).account_id);
    // One line of the API, and one of the console.
    await waitFor(() => accountsOf('log-in-1').length === 2);
    expect(accountsOf('log-in-1')).toEqual([id, id]);
  });

  it('is told by the address of its browser in the account events', async () => {
    const account = await registerAndLogIn(api.client);
    await logIn(account, { 'X-Forwarded-For': '192.0.2.77' });
    const { body } = await account.client.get('/account-events?type=login');
    expect(body.data.at(-1).address).toBe('192.0.2.77');
  });

  it('says 503 while Redis is down, and nothing of the reason', async () => {
    const lonely = await startTestDashboard(environment, {
      REDIS_URL: 'redis://127.0.0.1:1',
      API_URL: api.client.baseUrl,
    });
    const headers = { Cookie: `console=${'x'.repeat(43)}` };
    const answers = [await lonely.client.get(ME, { headers }), await postSession(lonely.client, owner)];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [503, 'Redis is not reachable'],
      [503, 'Redis is not reachable'],
    ]);
    await lonely.close();
  });

  it('works at once for a browser that has logged in', async () => {
    const browser = await logInAtConsole(console.client, owner);
    expect((await browser.get(ME)).body.data.email).toBe(owner.email);
  });
});
