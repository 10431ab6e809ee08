import { beforeEach, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { generateKeys, ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const PATH = '/auth/account/preferences';
const NEEDED = { status: 400, error: 'This account asks for its password here: send it as password' };

const api = withTestApi();
let account: LoggedIn;

beforeEach(async () => {
  account = await registerAndLogIn(api.client);
});

const preferences = async () => ok(await account.client.get(PATH), 200).data;
const set = (confirm_keys: boolean, password?: string) => account.client.patch(PATH, { confirm_keys, password });

describe('the preferences of the account that is calling', () => {
  it('ask for the password at will, and no longer only with the password', async () => {
    expect(await preferences()).toEqual({ allow_negative_balance: false });
    const on = { allow_negative_balance: false, confirm_keys: true };
    expect(ok(await set(true), 200)).toEqual({ data: on, message: 'Preferences updated' });
    expect((await set(false)).body).toEqual(NEEDED);
    const wrong = await set(false, 'not my password');
    expect([wrong.status, wrong.body.error]).toEqual([400, 'Current password is incorrect']);
    expect(ok(await set(false, account.password), 200).data).toEqual({ ...on, confirm_keys: false });
  });

  it('hold the amount above which the console asks, without the password', async () => {
    ok(await set(true), 200);
    const changed = { allow_negative_balance: false, confirm_keys: true, confirm_amounts_above: 250.5 };
    expect(ok(await account.client.patch(PATH, { confirm_amounts_above: 250.5 }), 200).data).toEqual(changed);
    for (const confirm_amounts_above of [-1, 1_000_000_000.01, '5']) {
      expect((await account.client.patch(PATH, { confirm_amounts_above })).status).toBe(400);
    }
    expect(ok(await account.client.patch(PATH, {}), 200).data).toEqual(changed);
    expect(await preferences()).toEqual(changed);
  });

  it('are set by a session alone, and no others than these', async () => {
    const byKey = api.client.as({ base64: (await generateKeys(account)).base64 });
    expect((await byKey.patch(PATH, { confirm_keys: false })).status).toBe(401);
    const more = await account.client.patch(PATH, { confirm_keys: true, allow_negative_balance: false });
    expect([more.status, more.body.message]).toEqual([400, ['property allow_negative_balance should not exist']]);
    expect(ok(await byKey.get(PATH), 200).data).toEqual({ allow_negative_balance: false });
  });
});
