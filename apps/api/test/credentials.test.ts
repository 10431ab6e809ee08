import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn, type TestClient } from '#testing/client.js';
import { createQuickAccount } from '#testing/quick-accounts.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ processes: 2 });

const UNAUTHORIZED = { message: 'Unauthorized', statusCode: 401 };
const ME = '/auth/account/me';

describe('credentials', () => {
  it.each([
    ['none', {}],
    ['an unknown scheme', { Authorization: 'Digest abc' }],
    ['a made-up token', { Authorization: `Bearer 1.${'a'.repeat(43)}` }],
    ['garbage', { Authorization: 'Bearer ' }],
    ['a broken Basic', { Authorization: 'Basic !!!' }],
    ['Basic without a colon', { Authorization: `Basic ${Buffer.from('abc').toString('base64')}` }],
  ])('answers %s with 401', async (_case, headers) => {
    const answer = await api.client.get(ME, { headers });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(UNAUTHORIZED);
  });

  it('takes a token from the header only', async () => {
    const { token } = await registerAndLogIn(api.client);
    expect((await api.client.get(`${ME}?access_token=${token}`)).status).toBe(401);
  });
});

describe('two processes', () => {
  it('have both heard of a logout when it is answered, also under load', async () => {
    const second = api.clients[1] as TestClient;
    let isOver = false;
    const noise = (async () => {
      const busy = (await registerAndLogIn(second)).client;
      while (!isOver) await Promise.all(Array.from({ length: 8 }, () => busy.get('/account/user')));
    })();
    for (let round = 0; round < 15; round += 1) {
      const { token } = await createQuickAccount(api.database);
      const there = second.as({ token });
      expect((await there.get(ME)).status).toBe(200);
      expect((await api.client.as({ token }).post('/auth/logout/account')).status).toBe(200);
      expect((await there.get(ME)).status).toBe(401);
    }
    isOver = true;
    await noise;
  });
});
