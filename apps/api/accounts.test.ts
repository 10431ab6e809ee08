import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inventAccount, type LoggedIn, logIn, register, registerAndLogIn, type TestClient } from '#testing/client.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';

let environment: TestEnvironment;
let api: TestPart;
let client: TestClient;

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
  client = api.client;
});

afterAll(async () => {
  await api?.close();
  await environment?.close();
});

const UNAUTHORIZED = { message: 'Unauthorized', statusCode: 401 };
const ME = '/auth/account/me';

async function withKeys(account: LoggedIn): Promise<{ base64: string; key: string; secret: string }> {
  const { status, body } = await account.client.post('/auth/account/generate-keys');
  expect(status).toBe(201);
  return { base64: body.data.base64_encoded, key: body.data.api_key, secret: body.data.api_secret };
}

describe('register', () => {
  it('answers 201 with a message and nothing else, and writes the mail in the same transaction', async () => {
    const account = inventAccount();
    const answer = await client.post('/auth/register/account', account);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ message: expect.any(String) });
    const mails = await environment.database.query(
      `SELECT o.topic FROM outbox o JOIN accounts a ON a.id = o.account_id WHERE a.email = $1`,
      [account.email],
    );
    expect(mails).toEqual([{ topic: 'verification-mail' }]);
  });

  it('keeps no password, only its bcrypt hash', async () => {
    const account = await register(client);
    const [row] = await environment.database.query('SELECT * FROM accounts WHERE email = $1', [account.email]);
    expect(row?.password_hash).toMatch(/^\$2b\$10\$/);
    expect(JSON.stringify(row)).not.toContain(account.password);
  });

  it('refuses a taken e-mail whatever its case, with 409 in the domain shape', async () => {
    const account = await register(client);
    const again = { ...inventAccount(), email: account.email.toUpperCase() };
    const answer = await client.post('/auth/register/account', again);
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ status: 409, error: 'Email is already registered' });
  });

  it('lets exactly one of many parallel registrations of an e-mail win', async () => {
    const account = inventAccount();
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.post('/auth/register/account', account)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it.each([
    ['nothing', {}, ['name should not be empty', 'email should not be empty', 'password should not be empty']],
    ['a bad e-mail', { email: 'nobody' }, ['email must be an email']],
    ['a short password', { password: '1234567' }, ['password must be longer than or equal to 8 characters']],
    ['a password over 72 bytes', { password: 'x'.repeat(73) }, ['password must be shorter than or equal to 72 bytes']],
    ['a number for a name', { name: 5 }, ['name must be a string']],
    ['an unknown field', { role: 'admin' }, ['property role should not exist']],
    ['a null character', { name: 'a\0b' }, ['name must not contain null characters']],
  ])('refuses %s', async (_case, change, message) => {
    const body = Object.keys(change).length === 0 ? {} : { ...inventAccount(), ...change };
    const answer = await client.post('/auth/register/account', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
  });
});

describe('login', () => {
  it('gives a token that opens the account, compared without case', async () => {
    const account = await register(client);
    const answer = await client.post('/auth/login/account', {
      email: account.email.toUpperCase(),
      password: account.password,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { token: expect.any(String) }, message: expect.any(String) });
    const me = await client.as({ token: answer.body.data.token }).get(ME);
    expect(me.status).toBe(200);
    expect(me.body).toEqual({
      data: {
        id: expect.any(Number),
        name: account.name,
        email: account.email,
        api_key_generated_at: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
      message: expect.any(String),
    });
  });

  it.each([
    ['a wrong password', { password: 'something else' }],
    ['an unknown e-mail', { email: 'nobody@example.com' }],
    ['the password and more, past what bcrypt reads', { password: `${'x'.repeat(72)}more` }],
  ])('answers %s with 401', async (_case, change) => {
    const account = await register(client, { ...inventAccount(), password: 'x'.repeat(72) });
    const { email, password } = { ...account, ...change };
    const answer = await client.post('/auth/login/account', { email, password });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(UNAUTHORIZED);
  });

  it('stores only a hash of the token', async () => {
    const { token } = await registerAndLogIn(client);
    const rows = await environment.database.query('SELECT * FROM access_tokens');
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
  });
});

describe('credentials', () => {
  it.each([
    ['none', {}],
    ['an unknown scheme', { Authorization: 'Digest abc' }],
    ['a made-up token', { Authorization: `Bearer 1.${'a'.repeat(43)}` }],
    ['garbage', { Authorization: 'Bearer ' }],
    ['a broken Basic', { Authorization: 'Basic !!!' }],
    ['Basic without a colon', { Authorization: `Basic ${Buffer.from('abc').toString('base64')}` }],
  ])('answers %s with 401', async (_case, headers) => {
    const answer = await client.get(ME, { headers });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(UNAUTHORIZED);
  });

  it('takes a token from the header only', async () => {
    const { token } = await registerAndLogIn(client);
    expect((await client.get(`${ME}?access_token=${token}`)).status).toBe(401);
  });

  it('ends a token when its time is over, also when it is remembered', async () => {
    const { client: caller, email } = await registerAndLogIn(client);
    expect((await caller.get(ME)).status).toBe(200);
    await environment.database.query(
      `UPDATE access_tokens t SET expires_at = now() - interval '1 s' FROM accounts a
        WHERE a.id = t.account_id AND a.email = $1`,
      [email],
    );
    expect((await caller.get(ME)).status).toBe(401);
  });
});

describe('generate-keys', () => {
  it('makes a pair that works as HTTP Basic, shows when, and stores no secret', async () => {
    const account = await registerAndLogIn(client);
    const { base64, key, secret } = await withKeys(account);
    expect(Buffer.from(base64, 'base64').toString()).toBe(`${key}:${secret}`);
    const me = await client.as({ base64 }).get(ME);
    expect(me.status).toBe(200);
    expect(me.body.data.email).toBe(account.email);
    expect(me.body.data.api_key_generated_at).toMatch(/Z$/);
    const rows = await environment.database.query('SELECT * FROM accounts WHERE email = $1', [account.email]);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('replaces the earlier pair at once', async () => {
    const account = await registerAndLogIn(client);
    const first = await withKeys(account);
    expect((await client.as(first).get(ME)).status).toBe(200);
    const second = await withKeys(account);
    expect((await client.as(first).get(ME)).status).toBe(401);
    expect((await client.as(second).get(ME)).status).toBe(200);
  });

  it('takes a bearer token only, and so does logout', async () => {
    const { base64 } = await withKeys(await registerAndLogIn(client));
    const caller = client.as({ base64 });
    expect((await caller.post('/auth/account/generate-keys')).body).toEqual(UNAUTHORIZED);
    expect((await caller.post('/auth/logout/account')).body).toEqual(UNAUTHORIZED);
  });

  it('takes the pair whole: what follows a second colon counts', async () => {
    const { key, secret } = await withKeys(await registerAndLogIn(client));
    const base64 = Buffer.from(`${key}:${secret}:junk`).toString('base64');
    expect((await client.as({ base64 }).get(ME)).status).toBe(401);
  });

  it('makes no key for a token that has just been ended', async () => {
    const account = await registerAndLogIn(client);
    expect((await account.client.get(ME)).status).toBe(200);
    const answers = await Promise.all([
      account.client.post('/auth/logout/account?logout_all=true'),
      ...Array.from({ length: 5 }, () => account.client.post('/auth/account/generate-keys')),
    ]);
    const [row] = await environment.database.query('SELECT api_key FROM accounts WHERE email = $1', [account.email]);
    const made = answers
      .slice(1)
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.data.api_key);
    expect(answers.every(({ status }) => [200, 201, 401].includes(status))).toBe(true);
    expect(row?.api_key === null || made.includes(row?.api_key)).toBe(true);
  });

  it.each(['wrong secret', 'other account'])('refuses a pair with a %s', async (fault) => {
    const one = await withKeys(await registerAndLogIn(client));
    const other = await withKeys(await registerAndLogIn(client));
    const pair = fault === 'wrong secret' ? `${one.key}:${'a'.repeat(43)}` : `${one.key}:${other.secret}`;
    expect((await client.as({ base64: Buffer.from(pair).toString('base64') }).get(ME)).status).toBe(401);
  });
});

describe('logout', () => {
  it('ends the token used and no other', async () => {
    const account = await registerAndLogIn(client);
    const other = client.as({ token: await logIn(client, account) });
    expect((await other.get(ME)).status).toBe(200);
    expect((await account.client.post('/auth/logout/account')).body).toEqual({ message: expect.any(String) });
    expect((await account.client.get(ME)).status).toBe(401);
    expect((await other.get(ME)).status).toBe(200);
  });

  it('ends every token with logout_all, but not the API key', async () => {
    const account = await registerAndLogIn(client);
    const { base64 } = await withKeys(account);
    const other = client.as({ token: await logIn(client, account) });
    expect((await account.client.post('/auth/logout/account?logout_all=true')).status).toBe(200);
    expect((await account.client.get(ME)).status).toBe(401);
    expect((await other.get(ME)).status).toBe(401);
    expect((await client.as({ base64 }).get(ME)).status).toBe(200);
  });

  it('refuses a logout_all that is no boolean, and ends nothing', async () => {
    const account = await registerAndLogIn(client);
    const answer = await account.client.post('/auth/logout/account?logout_all=maybe');
    expect(answer.body.message).toEqual(['logout_all must be a boolean value']);
    expect((await account.client.get(ME)).status).toBe(200);
  });
});

describe('two processes', () => {
  it('have both heard of a logout when it is answered, also under load', async () => {
    const second = await startTestApi(environment);
    try {
      let isOver = false;
      const noise = (async () => {
        const busy = (await registerAndLogIn(second.client)).client;
        while (!isOver) await Promise.all(Array.from({ length: 8 }, () => busy.get('/account/user')));
      })();
      for (let round = 0; round < 15; round += 1) {
        const account = await registerAndLogIn(client);
        const there = second.client.as({ token: account.token });
        expect((await there.get(ME)).status).toBe(200);
        expect((await account.client.post('/auth/logout/account')).status).toBe(200);
        expect((await there.get(ME)).status).toBe(401);
      }
      isOver = true;
      await noise;
    } finally {
      await second.close();
    }
  });

  it('ends a revoked credential at once in both, though both remember it', async () => {
    const second = await startTestApi(environment);
    try {
      const account = await registerAndLogIn(client);
      const { base64 } = await withKeys(account);
      const there = second.client.as({ token: account.token });
      expect((await there.get(ME)).status).toBe(200);
      expect((await second.client.as({ base64 }).get(ME)).status).toBe(200);
      await withKeys(account);
      expect((await second.client.as({ base64 }).get(ME)).status).toBe(401);
      await account.client.post('/auth/logout/account');
      expect((await there.get(ME)).status).toBe(401);
    } finally {
      await second.close();
    }
  });

  it('does not trust what it remembers while it cannot hear of changes', async () => {
    const account = await registerAndLogIn(client);
    expect((await account.client.get(ME)).status).toBe(200);
    // Cuts the connection that listens, and changes the account in the same breath.
    await environment.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'betting-ledger-access' AND datname = current_database()`,
    );
    await environment.database.query(
      'DELETE FROM access_tokens t USING accounts a WHERE a.id = t.account_id AND a.email = $1',
      [account.email],
    );
    expect((await account.client.get(ME)).status).toBe(401);
  });
});
