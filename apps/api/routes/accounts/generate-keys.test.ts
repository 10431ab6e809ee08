import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { generateKeys } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();

const UNAUTHORIZED = { message: 'Unauthorized', statusCode: 401 };
const ME = '/auth/account/me';

describe('generate-keys', () => {
  it('makes a pair that works as HTTP Basic, shows when, and stores no secret', async () => {
    const account = await registerAndLogIn(api.client);
    const { base64, key, secret } = await generateKeys(account);
    expect(Buffer.from(base64, 'base64').toString()).toBe(`${key}:${secret}`);
    const me = await api.client.as({ base64 }).get(ME);
    expect(me.status).toBe(200);
    expect(me.body.data.email).toBe(account.email);
    expect(me.body.data.api_key_generated_at).toMatch(/Z$/);
    const rows = await api.database.query('SELECT * FROM api_keys');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('replaces the earlier pair at once', async () => {
    const account = await registerAndLogIn(api.client);
    const first = await generateKeys(account);
    expect((await api.client.as(first).get(ME)).status).toBe(200);
    const second = await generateKeys(account);
    expect((await api.client.as(first).get(ME)).status).toBe(401);
    expect((await api.client.as(second).get(ME)).status).toBe(200);
  });

  it('takes a bearer token only, and so does logout', async () => {
    const { base64 } = await generateKeys(await registerAndLogIn(api.client));
    const caller = api.client.as({ base64 });
    expect((await caller.post('/auth/account/generate-keys')).body).toEqual(UNAUTHORIZED);
    expect((await caller.post('/auth/logout/account')).body).toEqual(UNAUTHORIZED);
  });

  it('takes the pair whole: what follows a second colon counts', async () => {
    const { key, secret } = await generateKeys(await registerAndLogIn(api.client));
    const base64 = Buffer.from(`${key}:${secret}:junk`).toString('base64');
    expect((await api.client.as({ base64 }).get(ME)).status).toBe(401);
  });

  it('makes no key for a token that has just been ended', async () => {
    const account = await registerAndLogIn(api.client);
    expect((await account.client.get(ME)).status).toBe(200);
    const answers = await Promise.all([
      account.client.post('/auth/logout/account?logout_all=true'),
      ...Array.from({ length: 5 }, () => account.client.post('/auth/account/generate-keys')),
    ]);
    const [row] = await api.database.query(
      `SELECT (SELECT api_key FROM api_keys WHERE account_id = a.id) AS api_key FROM accounts a WHERE email = $1`,
      [account.email],
    );
    const made = answers
      .slice(1)
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.data.api_key);
    expect(answers.every(({ status }) => [200, 201, 401].includes(status))).toBe(true);
    expect(row?.api_key === null || made.includes(row?.api_key)).toBe(true);
  });

  it.each(['wrong secret', 'other account'])('refuses a pair with a %s', async (fault) => {
    const one = await generateKeys(await registerAndLogIn(api.client));
    const other = await generateKeys(await registerAndLogIn(api.client));
    const pair = fault === 'wrong secret' ? `${one.key}:${'a'.repeat(43)}` : `${one.key}:${other.secret}`;
    expect((await api.client.as({ base64: Buffer.from(pair).toString('base64') }).get(ME)).status).toBe(401);
  });
});
