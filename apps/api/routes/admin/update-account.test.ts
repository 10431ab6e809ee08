import { beforeAll, describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { ADMIN_ACCOUNT_FIELDS, type Admin, ok, registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ processes: 2 });
let admin: Admin;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
});

/** A new business with its id. */
async function business() {
  return registerAndLogIn(api.client);
}

describe('one account', () => {
  it('is read with its keys’ date, preferences and role', async () => {
    const account = await business();
    ok(await account.client.post('/auth/account/generate-keys'));
    const { data, message } = ok(await admin.client.get(`/admin/accounts/${account.id}`), 200);
    expect(message).toEqual(expect.any(String));
    expect(Object.keys(data)).toEqual(ADMIN_ACCOUNT_FIELDS);
    expect(data).toMatchObject({
      id: account.id,
      email: account.email,
      role: 'business',
      email_verified_at: null,
      api_key_generated_at: expect.stringMatching(/Z$/),
    });
  });

  it('changes only in what is given', async () => {
    const account = await business();
    const change = async (body: object) =>
      ok(await admin.client.patch(`/admin/accounts/${account.id}`, body), 200).data;
    const before = ok(await admin.client.get(`/admin/accounts/${account.id}`), 200).data;
    expect(await change({ name: 'New' })).toEqual({ ...before, name: 'New', updated_at: expect.any(String) });
    const preferences = { allow_negative_balance: true, theme: 'dark' };
    expect(await change({ preferences })).toMatchObject({ name: 'New', role: 'business', preferences });
    expect(await change({})).toMatchObject({ name: 'New', preferences });
    expect(await change({ preferences: { theme: 'light' } })).toMatchObject({
      preferences: { allow_negative_balance: false, theme: 'light' },
    });
    // The cached credentials change, too.
    expect((await account.client.get('/auth/account/me')).body.data.name).toBe('New');
  });

  it('lets the account’s users go below zero from then on', async () => {
    const { client, id } = await business();
    ok(await client.post('/account/user', { name: 'Ann', reference: 'ann' }));
    const make = () =>
      client.post('/bets/make-offer', {
        wager_reference: 'w',
        requesting_odds: 2,
        requesting_amount: 1,
        requesting_user_reference: 'ann',
      });
    expect((await make()).status).toBe(400);
    ok(await admin.client.patch(`/admin/accounts/${id}`, { preferences: { allow_negative_balance: true } }), 200);
    expect((await make()).status).toBe(201);
  });

  it('is unknown by every wrong id', async () => {
    const unknown = { status: 404, error: 'Account not found' };
    expect((await admin.client.get('/admin/accounts/999999')).body).toEqual(unknown);
    expect((await admin.client.patch('/admin/accounts/999999', { role: 'business' })).body).toEqual(unknown);
    expect((await admin.client.get('/admin/accounts/x')).body.message).toEqual(['id must be an integer number']);
  });

  it.each([
    [{ email: 'x@example.com' }, ['property email should not exist']],
    [{ role: 'owner' }, ['role must be one of the following values: business, admin']],
    [{ name: '' }, ['name should not be empty']],
    [{ name: 5, preferences: null }, ['name must be a string', 'preferences should not be empty']],
    [
      { preferences: { allow_negative_balance: 'yes' } },
      ['preferences.allow_negative_balance must be a boolean value'],
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await admin.client.patch(`/admin/accounts/${admin.id}`, body);
    expect([answer.status, answer.body]).toEqual([400, { message, error: 'Bad Request', statusCode: 400 }]);
  });
});

describe('the role of admin', () => {
  const setRole = (client = admin.client, id: number, role: string) => client.patch(`/admin/accounts/${id}`, { role });

  it('opens and closes at once in every process', async () => {
    const account = await business();
    const callers = api.clients.map((client) => client.as({ token: account.token }));
    const statuses = async () =>
      (await Promise.all(callers.map((client) => client.get('/admin/accounts')))).map(({ status }) => status);
    expect(await statuses()).toEqual([403, 403]);
    ok(await setRole(admin.client, account.id, 'admin'), 200);
    expect(await statuses()).toEqual([200, 200]);
    ok(await setRole(admin.client, account.id, 'business'), 200);
    expect(await statuses()).toEqual([403, 403]);
  });

  it('stays with the last admin', async () => {
    const refusal = { status: 400, error: 'The last admin account must keep its role' };
    expect((await setRole(admin.client, admin.id, 'business')).body).toEqual(refusal);
  });
});
