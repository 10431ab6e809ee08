import { describe, expect, it } from '@jest/globals';
import { type LoggedIn, logIn, registerAndLogIn } from '#testing/client.js';
import { generateKeys, ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const SESSIONS = '/auth/account/sessions';
const ME = '/auth/account/me';
const DAY_MS = 86_400_000;

const api = withTestApi({ processes: 2 });

const sessionsOf = async ({ client }: LoggedIn) => ok(await client.get(SESSIONS), 200).data;

describe('sessions', () => {
  it('are listed with where and when they began, the newest first', async () => {
    const account = await registerAndLogIn(api.client);
    await logIn(api.client, account);
    const list = ok(await account.client.get(SESSIONS), 200);
    expect(list).toMatchObject({ total: 2, page: 1, from: 1, to: 2 });
    expect(list.data.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
    const [, own] = list.data;
    expect(Object.keys(own)).toEqual([
      'id',
      'operator',
      'created_at',
      'expires_at',
      'last_used_at',
      'address',
      'current',
    ]);
    expect(own.address).toBe('127.0.0.1');
    const lifeMs = Date.parse(own.expires_at) - Date.parse(own.created_at);
    // The API names the end, and PostgreSQL the beginning.
    expect(Math.abs(lifeMs - DAY_MS)).toBeLessThan(60_000);
    await waitFor(async () => (await sessionsOf(account))[1].last_used_at ?? undefined);
    const { base64 } = await generateKeys(account);
    const byKey = ok(await api.client.as({ base64 }).get(SESSIONS), 200).data;
    expect(byKey.map(({ current }: { current: boolean }) => current)).toEqual([false, false]);
  });

  it('end at once in every process, and no other session with them', async () => {
    const account = await registerAndLogIn(api.client);
    const token = await logIn(api.client, account);
    const others = api.clients.map((client) => client.as({ token }));
    for (const client of others) ok(await client.get(ME), 200);
    const [other, own] = await sessionsOf(account);
    ok(await account.client.delete(`${SESSIONS}/${other.id}`), 200);
    for (const client of others) expect((await client.get(ME)).status).toBe(401);
    expect(await sessionsOf(account)).toMatchObject([{ id: own.id, current: true }]);
    const again = await account.client.delete(`${SESSIONS}/${other.id}`);
    expect([again.status, again.body]).toEqual([404, { status: 404, error: 'Session not found' }]);
  });

  it('are ended with a token only', async () => {
    const account = await registerAndLogIn(api.client);
    const { base64 } = await generateKeys(account);
    const [own] = await sessionsOf(account);
    expect((await api.client.as({ base64 }).delete(`${SESSIONS}/${own.id}`)).status).toBe(401);
    ok(await account.client.get(ME), 200);
  });
});
