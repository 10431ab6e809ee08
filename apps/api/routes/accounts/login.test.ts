import { describe, expect, it } from '@jest/globals';
import { inventAccount, register, registerAndLogIn } from '#testing/client.js';
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

  it('stores only a hash of the token', async () => {
    const { token } = await registerAndLogIn(api.client);
    const rows = await api.database.query('SELECT * FROM access_tokens');
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
  });
});
