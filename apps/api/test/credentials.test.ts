import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { startTestApi } from '#testing/parts.js';
import { createQuickAccount } from '#testing/quick-accounts.js';
import { generateKeys } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();

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

  it('ends a token when its time is over, also when it is remembered', async () => {
    const { client: caller, email } = await registerAndLogIn(api.client);
    expect((await caller.get(ME)).status).toBe(200);
    await api.database.query(
      `UPDATE access_tokens t SET expires_at = now() - interval '1 s' FROM accounts a
        WHERE a.id = t.account_id AND a.email = $1`,
      [email],
    );
    // A change by SQL is not announced by a process: its notice may arrive after the next request.
    await waitFor(async () => (await caller.get(ME)).status === 401);
  });
});

describe('two processes', () => {
  it('have both heard of a logout when it is answered, also under load', async () => {
    const second = await startTestApi(api.environment);
    try {
      let isOver = false;
      const noise = (async () => {
        const busy = (await registerAndLogIn(second.client)).client;
        while (!isOver) await Promise.all(Array.from({ length: 8 }, () => busy.get('/account/user')));
      })();
      for (let round = 0; round < 15; round += 1) {
        const { token } = await createQuickAccount(api.database);
        const there = second.client.as({ token });
        expect((await there.get(ME)).status).toBe(200);
        expect((await api.client.as({ token }).post('/auth/logout/account')).status).toBe(200);
        expect((await there.get(ME)).status).toBe(401);
      }
      isOver = true;
      await noise;
    } finally {
      await second.close();
    }
  });

  it('ends a revoked credential at once in both, though both remember it', async () => {
    const second = await startTestApi(api.environment);
    try {
      const account = await registerAndLogIn(api.client);
      const { base64 } = await generateKeys(account);
      const there = second.client.as({ token: account.token });
      expect((await there.get(ME)).status).toBe(200);
      expect((await second.client.as({ base64 }).get(ME)).status).toBe(200);
      await generateKeys(account);
      expect((await second.client.as({ base64 }).get(ME)).status).toBe(401);
      await account.client.post('/auth/logout/account');
      expect((await there.get(ME)).status).toBe(401);
    } finally {
      await second.close();
    }
  });

  it('does not trust what it remembers while it cannot hear of changes', async () => {
    const account = await registerAndLogIn(api.client);
    expect((await account.client.get(ME)).status).toBe(200);
    // Cuts the connection that listens for changes, and changes the account right after.
    await api.database.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE application_name = 'betting-ledger-access' AND datname = current_database()`,
    );
    await api.database.query(
      'DELETE FROM access_tokens t USING accounts a WHERE a.id = t.account_id AND a.email = $1',
      [account.email],
    );
    expect((await account.client.get(ME)).status).toBe(401);
  });
});
