import { describe, expect, it } from '@jest/globals';
import { inventAccount, logIn, register, registerAndLogIn } from '#testing/client.js';
import { generateKeys } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();

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

  it('takes a password of any age', async () => {
    const account = await register(api.client);
    await api.database.query(
      `UPDATE accounts SET created_at = now() - interval '20 years', updated_at = now() - interval '20 years' WHERE email = $1`,
      [account.email],
    );
    expect(await logIn(api.client, account)).toEqual(expect.any(String));
  });
});

describe('logout', () => {
  it('ends the token used, or with logout_all every token, but not the API key', async () => {
    const account = await registerAndLogIn(api.client);
    const byKey = api.client.as({ base64: (await generateKeys(account)).base64 });
    const [second, third] = await Promise.all(
      [1, 2].map(async () => api.client.as({ token: await logIn(api.client, account) })),
    );
    const statuses = () =>
      Promise.all([account.client, second, third, byKey].map(async (client) => (await client?.get(ME))?.status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect((await account.client.post('/auth/logout/account')).body).toEqual({ message: expect.any(String) });
    expect(await statuses()).toEqual([401, 200, 200, 200]);
    expect((await second?.post('/auth/logout/account?logout_all=true'))?.status).toBe(200);
    expect(await statuses()).toEqual([401, 401, 401, 200]);
  });

  it('refuses a logout_all that is no boolean, and ends nothing', async () => {
    const account = await registerAndLogIn(api.client);
    const answer = await account.client.post('/auth/logout/account?logout_all=maybe');
    expect(answer.body.message).toEqual(['logout_all must be a boolean value']);
    expect((await account.client.get(ME)).status).toBe(200);
  });
});
