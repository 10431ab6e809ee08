import { describe, expect, it } from '@jest/globals';
import { logIn, registerAndLogIn } from '#testing/client.js';
import { generateKeys } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();

const ME = '/auth/account/me';

describe('logout', () => {
  it('ends the token used and no other', async () => {
    const account = await registerAndLogIn(api.client);
    const other = api.client.as({ token: await logIn(api.client, account) });
    expect((await other.get(ME)).status).toBe(200);
    expect((await account.client.post('/auth/logout/account')).body).toEqual({ message: expect.any(String) });
    expect((await account.client.get(ME)).status).toBe(401);
    expect((await other.get(ME)).status).toBe(200);
  });

  it('ends every token with logout_all, but not the API key', async () => {
    const account = await registerAndLogIn(api.client);
    const { base64 } = await generateKeys(account);
    const other = api.client.as({ token: await logIn(api.client, account) });
    expect((await account.client.post('/auth/logout/account?logout_all=true')).status).toBe(200);
    expect((await account.client.get(ME)).status).toBe(401);
    expect((await other.get(ME)).status).toBe(401);
    expect((await api.client.as({ base64 }).get(ME)).status).toBe(200);
  });

  it('refuses a logout_all that is no boolean, and ends nothing', async () => {
    const account = await registerAndLogIn(api.client);
    const answer = await account.client.post('/auth/logout/account?logout_all=maybe');
    expect(answer.body.message).toEqual(['logout_all must be a boolean value']);
    expect((await account.client.get(ME)).status).toBe(200);
  });
});
