import { describe, expect, it } from '@jest/globals';
import { type LoggedIn, logIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { startTestApi } from '#testing/parts.js';
import { addFactor, type EnrolledFactor, factorCodeOf, forgetUsedCodes, wrongCodeOf } from '#testing/second-factor.js';
import { generateKeys, ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ processes: 2, hasWorker: true });
const PATH = '/auth/account/second-factor';
const CONFIRM = `${PATH}/confirm`;
const NEEDED = { status: 401, error: 'Second factor required' };
const UNAUTHORIZED = { message: 'Unauthorized', statusCode: 401 };

type Enrolled = LoggedIn & EnrolledFactor;

async function enrolled(): Promise<Enrolled> {
  const account = await registerAndLogIn(api.client);
  const factor = await addFactor(account.client, account);
  await forgetUsedCodes(api.database, account);
  return { ...account, ...factor };
}

const tryLogIn = ({ email, password }: Pick<LoggedIn, 'email' | 'password'>, code?: string, client = api.client) =>
  client.post('/auth/login/account', { email, password, ...(code !== undefined && { code }) });

const remove = (client: TestClient, body: object) => client.delete(PATH, { body });

async function eventsOf({ client }: LoggedIn, type: string) {
  return ok(await client.get(`/account-events?type=${type}`), 200).data;
}

const wait = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'));

describe('a second factor', () => {
  it('has no effect until it is confirmed, and the one begun last counts', async () => {
    const account = await registerAndLogIn(api.client);
    const { client, password } = account;
    const first = ok(await client.post(PATH, { password })).data;
    expect(first.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(first.uri).toContain(`secret=${first.secret}`);
    ok(await tryLogIn(account), 200);
    expect(ok(await client.get(PATH), 200).data).toEqual({ added_at: null, recovery_codes: 0 });
    const second = ok(await client.post(PATH, { password })).data;
    const withFirst = await client.post(CONFIRM, { code: factorCodeOf(first.secret) });
    expect([withFirst.status, withFirst.body]).toEqual([400, { status: 400, error: 'The code is incorrect' }]);
    const { recovery_codes: codes } = ok(await client.post(CONFIRM, { code: factorCodeOf(second.secret) }), 200).data;
    expect(new Set(codes).size).toBe(10);
    expect(ok(await client.get(PATH), 200).data).toEqual({ added_at: expect.any(String), recovery_codes: 10 });
    const [added] = await eventsOf(account, 'second-factor-added');
    expect(added).toMatchObject({ actor: { name: account.name }, after: { recovery_codes: 10 } });
    await api.mailTo(account, 'A second factor was added');
  });

  it('is asked for at the log-in, after the right password alone', async () => {
    const account = await enrolled();
    const needed = await tryLogIn(account);
    expect([needed.status, needed.body]).toEqual([401, NEEDED]);
    expect(needed.headers.get('www-authenticate')).toBe('Bearer');
    const guesses = [
      await tryLogIn({ ...account, password: 'something else' }),
      await tryLogIn({ ...account, password: 'something else' }, factorCodeOf(account.secret)),
      await tryLogIn(account, wrongCodeOf(account.secret)),
      await tryLogIn(account, 'a word'),
      await tryLogIn(account, '0000-0000-0000-0000'),
    ];
    for (const { status, body } of guesses) expect([status, body]).toEqual([401, UNAUTHORIZED]);
    expect((await tryLogIn(account, '')).status).toBe(400);
    const { token } = ok(await tryLogIn(account, factorCodeOf(account.secret)), 200).data;
    ok(await api.client.as({ token }).get('/account/user'), 200);
  });

  it('takes each code once, and none of a step before', async () => {
    const account = await enrolled();
    const [now, code] = [Date.now(), factorCodeOf(account.secret)];
    ok(await tryLogIn(account, code), 200);
    for (const client of api.clients) expect((await tryLogIn(account, code, client)).body).toEqual(UNAUTHORIZED);
    expect((await tryLogIn(account, factorCodeOf(account.secret, now - 30_000))).status).toBe(401);
    ok(await tryLogIn(account, factorCodeOf(account.secret, now + 30_000)), 200);
    expect((await tryLogIn(account, factorCodeOf(account.secret, now))).status).toBe(401);
  });

  it('uses up the code that confirmed it', async () => {
    const account = await registerAndLogIn(api.client);
    const { secret } = ok(await account.client.post(PATH, { password: account.password })).data;
    const code = factorCodeOf(secret);
    ok(await account.client.post(CONFIRM, { code }), 200);
    expect((await tryLogIn(account, code)).body).toEqual(UNAUTHORIZED);
  });

  it('lets one of two requests with one code in, in two processes at once', async () => {
    const account = await enrolled();
    // Three wrong codes in each: fewer than the limit.
    for (let round = 0; round < 6; round += 1) {
      await forgetUsedCodes(api.database, account);
      const code = factorCodeOf(account.secret);
      const answers = await Promise.all([0, 1, 0, 1].map((process) => tryLogIn(account, code, api.clients[process])));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    }
  });

  it('belongs to its operator: another one of the account logs in without it', async () => {
    const account = await enrolled();
    const other = { ...account, email: `other-${account.email}` };
    await api.database.query(
      `INSERT INTO operators (account_id, name, email, role, password_hash)
       SELECT account_id, 'Other', $2, 'viewer', password_hash FROM operators WHERE email = $1`,
      [account.email, other.email],
    );
    const client = api.client.as({ token: await logIn(api.client, other) });
    expect(ok(await client.get(PATH), 200).data.added_at).toBeNull();
    // A viewer may: it is one's own.
    const { secret } = await addFactor(client, other);
    expect((await tryLogIn(other, factorCodeOf(account.secret))).body).toEqual(UNAUTHORIZED);
    await forgetUsedCodes(api.database, other);
    ok(await tryLogIn(other, factorCodeOf(secret)), 200);
  });

  it('is added once, with a token, a right password and a code of its own', async () => {
    const account = await registerAndLogIn(api.client);
    const { client, password } = account;
    const key = api.client.as({ base64: (await generateKeys(account)).base64 });
    for (const caller of [key, api.client]) expect((await caller.post(PATH, { password })).status).toBe(401);
    expect(await client.post(PATH, { password: 'something else' })).toMatchObject({
      status: 400,
      body: { error: 'Current password is incorrect' },
    });
    expect((await client.post(PATH, {})).status).toBe(400);
    expect((await client.post(CONFIRM, { code: '123456' })).status).toBe(409);
    const { secret } = await addFactor(client, account);
    for (const again of [client.post(PATH, { password }), client.post(CONFIRM, { code: factorCodeOf(secret) })]) {
      expect(await again).toMatchObject({ status: 409, body: { error: /remove it first/ } });
    }
    expect((await eventsOf(account, 'password-refused')).length).toBe(1);
  });

  it('cannot be added by a session that has ended', async () => {
    const account = await registerAndLogIn(api.client);
    const { secret } = ok(await account.client.post(PATH, { password: account.password })).data;
    await api.database.query('DELETE FROM access_tokens WHERE account_id = $1', [account.token.split('.')[0]]);
    expect((await account.client.post(CONFIRM, { code: factorCodeOf(secret) })).status).toBe(401);
    ok(await tryLogIn(account), 200);
  });

  it('is removed with password and code together, and with its recovery codes', async () => {
    const account = await enrolled();
    const { client, password, secret, recoveryCodes } = account;
    const code = factorCodeOf(secret);
    for (const body of [{ password }, { code }, { password: 'x', code }, { password, code: wrongCodeOf(secret) }]) {
      expect((await remove(client, body)).status).toBe(400);
    }
    ok(await remove(client, { password, code }), 200);
    ok(await tryLogIn(account), 200);
    expect(ok(await client.get(PATH), 200).data).toEqual({ added_at: null, recovery_codes: 0 });
    expect(await remove(client, { password, code })).toMatchObject({ status: 409 });
    const again = await addFactor(client, account);
    expect((await tryLogIn(account, recoveryCodes[0])).status).toBe(401);
    ok(await tryLogIn(account, again.recoveryCodes[0]), 200);
    expect(await eventsOf(account, 'second-factor-removed')).toHaveLength(1);
    await api.mailTo(account, 'Your second factor was removed');
  });
});

describe('a recovery code', () => {
  it('logs in once, however it is written, and leaves an event', async () => {
    const account = await enrolled();
    const [first = '', second = ''] = account.recoveryCodes;
    ok(await tryLogIn(account, first.toUpperCase().replaceAll('-', ' ')), 200);
    expect((await tryLogIn(account, first)).body).toEqual(UNAUTHORIZED);
    ok(await tryLogIn(account, second), 200);
    const used = await eventsOf(account, 'recovery-code-used');
    expect(used.map(({ after }: { after: object }) => after)).toEqual([{ left: 9 }, { left: 8 }]);
    expect(ok(await account.client.get(PATH), 200).data.recovery_codes).toBe(8);
  });

  it('lets one of four requests in, in two processes at once', async () => {
    const account = await enrolled();
    for (const code of account.recoveryCodes.slice(0, 5)) {
      const answers = await Promise.all([0, 1, 0, 1].map((process) => tryLogIn(account, code, api.clients[process])));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    }
    expect(ok(await account.client.get(PATH), 200).data.recovery_codes).toBe(5);
  });
});

describe('wrong codes', () => {
  it('count at the log-in as wrong passwords do, across processes, and show in the events', async () => {
    const account = await enrolled();
    const wrong = wrongCodeOf(account.secret);
    for (let guess = 0; guess < 20; guess += 1) {
      expect((await tryLogIn(account, wrong, api.clients[guess % 2])).status).toBe(401);
    }
    const late = await tryLogIn(account, factorCodeOf(account.secret));
    expect([late.status, wait(late) > 0]).toEqual([429, true]);
  });

  it('count of a session as wrong passwords do', async () => {
    const account = await enrolled();
    const { client, password } = account;
    const code = wrongCodeOf(account.secret);
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await client.post('/auth/account/confirm', { password, code })).status).toBe(400);
      expect((await remove(client, { password, code })).status).toBe(400);
    }
    const late = await client.post('/auth/account/confirm', { password, code: factorCodeOf(account.secret) });
    expect([late.status, wait(late) > 0]).toEqual([429, true]);
    expect((await eventsOf(account, 'password-refused')).length).toBe(20);
  });
});

describe('a service without a key', () => {
  it('adds no second factor, and asks who has one for a recovery code', async () => {
    const account = await enrolled();
    const keyless = await startTestApi(api.environment, { WEBHOOK_KEY: '' });
    const other = await registerAndLogIn(keyless.client);
    const off = { status: 503, error: 'Second factors are not set up on this service' };
    const answers = [
      await other.client.post(PATH, { password: other.password }),
      await tryLogIn(account, factorCodeOf(account.secret), keyless.client),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([503, off]);
    expect((await tryLogIn(account, undefined, keyless.client)).body).toEqual(NEEDED);
    ok(await tryLogIn(account, account.recoveryCodes[0], keyless.client), 200);
    await keyless.close();
  });
});

describe('the secret', () => {
  it('is stored encrypted, and bound to its operator', async () => {
    const [one, two] = [await enrolled(), await enrolled()];
    const rows = await api.database.query('SELECT second_factor_secret AS sealed FROM operators WHERE email = $1', [
      one.email,
    ]);
    const sealed = String(rows[0]?.sealed);
    expect(sealed).toMatch(/^[0-9a-f]{8}:/);
    expect(sealed).not.toContain(one.secret);
    await api.database.query('UPDATE operators SET second_factor_secret = $2 WHERE email = $1', [two.email, sealed]);
    expect((await tryLogIn(two, factorCodeOf(one.secret))).status).toBe(500);
  });
});
