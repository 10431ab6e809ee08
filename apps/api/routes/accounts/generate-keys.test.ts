import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { generateKeys } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();

const UNAUTHORIZED = { message: 'Unauthorized', statusCode: 401 };
const ME = '/auth/account/me';

describe('generate-keys', () => {
  it('makes a pair that works as HTTP Basic, and shows when', async () => {
    const account = await registerAndLogIn(api.client);
    const { base64, key, secret } = await generateKeys(account);
    expect(Buffer.from(base64, 'base64').toString()).toBe(`${key}:${secret}`);
    const me = await api.client.as({ base64 }).get(ME);
    expect(me.status).toBe(200);
    expect(me.body.data.email).toBe(account.email);
    expect(me.body.data.api_key_generated_at).toMatch(/Z$/);
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
});
