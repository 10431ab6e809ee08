import { describe, expect, it } from '@jest/globals';
import { inventAccount, logIn, register, registerAndLogIn } from '#testing/client.js';
import { startTestApi } from '#testing/parts.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ settings: { BCRYPT_COST: '10' } });

const UNAUTHORIZED = { message: 'Unauthorized', statusCode: 401 };
const ME = '/auth/account/me';

describe('login', () => {
  it('gives a token that opens the account, compared without case', async () => {
    const account = await register(api.client);
    const answer = await api.client.post('/auth/login/account', {
      email: account.email.toUpperCase(),
      password: account.password,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { token: expect.any(String) }, message: expect.any(String) });
    const me = await api.client.as({ token: answer.body.data.token }).get(ME);
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
    const account = await register(api.client, { ...inventAccount(), password: 'x'.repeat(72) });
    const { email, password } = { ...account, ...change };
    const answer = await api.client.post('/auth/login/account', { email, password });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(UNAUTHORIZED);
  });

  it('hashes the password again when the cost has risen since', async () => {
    const account = await register(api.client);
    const passwordHash = async () => {
      const [row] = await api.database.query('SELECT password_hash, updated_at FROM accounts WHERE email = $1', [
        account.email,
      ]);
      return { cost: String(row?.password_hash).slice(0, 7), updatedAt: row?.updated_at };
    };
    const before = await passwordHash();
    expect(before.cost).toBe('$2b$10$');
    const costlier = await startTestApi(api.environment, { BCRYPT_COST: '11' });
    try {
      const { email } = account;
      const wrong = await costlier.client.post('/auth/login/account', { email, password: 'something else' });
      expect(wrong.status).toBe(401);
      expect(await passwordHash()).toEqual(before);
      // Only one of them stores its new hash.
      const tokens = await Promise.all([1, 2, 3].map(() => logIn(costlier.client, account)));
      for (const token of tokens) expect((await costlier.client.as({ token }).get(ME)).status).toBe(200);
      expect(await passwordHash()).toEqual({ ...before, cost: '$2b$11$' });
      // A process that still has the lower cost accepts the hash and leaves it.
      await logIn(api.client, account);
      expect(await passwordHash()).toEqual({ ...before, cost: '$2b$11$' });
    } finally {
      await costlier.close();
    }
  });

  it('takes a password of any age', async () => {
    const account = await register(api.client);
    await api.database.query(
      `UPDATE accounts SET created_at = now() - interval '20 years', updated_at = now() - interval '20 years' WHERE email = $1`,
      [account.email],
    );
    expect(await logIn(api.client, account)).toEqual(expect.any(String));
  });

  it('stores only a hash of the token', async () => {
    const { token } = await registerAndLogIn(api.client);
    const rows = await api.database.query('SELECT * FROM access_tokens');
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
  });
});
