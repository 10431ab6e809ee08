import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { generateKeys, ok, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const KEYS = '/auth/account/api-keys';
const ME = '/auth/account/me';
const UNAUTHORIZED = { message: 'Unauthorized', statusCode: 401 };
const KEY_FIELDS = ['id', 'name', 'role', 'operator', 'api_key', 'created_at', 'expires_at', 'last_used_at'];

const api = withTestApi({ processes: 2, hasWorker: true });

const keysOf = async ({ client }: LoggedIn) => ok(await client.get(KEYS), 200).data;
const make = async ({ client }: LoggedIn, body: object) => ok(await client.post(KEYS, body)).data;
const accountIdOf = async ({ client }: LoggedIn): Promise<number> => ok(await client.get(ME), 200).data.id;
const statusIn = async (process: number, base64: string) =>
  (await api.clients[process]?.as({ base64 }).get(ME))?.status;

describe('API keys', () => {
  it('are several, named, and show their secret once', async () => {
    const account = await registerAndLogIn(api.client);
    const expires_at = '2099-01-15T00:00:00.000Z';
    const first = await make(account, { name: 'bets' });
    const second = await make(account, { name: 'money', role: 'trader', expires_at });
    expect(Object.keys(first)).toEqual([...KEY_FIELDS, 'api_secret', 'base64_encoded']);
    expect(Buffer.from(first.base64_encoded, 'base64').toString()).toBe(`${first.api_key}:${first.api_secret}`);
    for (const { base64_encoded } of [first, second]) expect(await statusIn(0, base64_encoded)).toBe(200);
    const list = ok(await account.client.get(KEYS), 200);
    expect(list).toMatchObject({ total: 2, page: 1, per_page: 20, last_page: 1 });
    expect(list.data.map(Object.keys)).toEqual([KEY_FIELDS, KEY_FIELDS]);
    expect(list.data).toMatchObject([
      { id: first.id, name: 'bets', role: 'owner', expires_at: null },
      { id: second.id, name: 'money', role: 'trader', expires_at },
    ]);
    expect(ok(await account.client.get(ME), 200).data.api_key_generated_at).toBe(second.created_at);
  });

  it('have a role, owner unless given, which the event of the key tells', async () => {
    const account = await registerAndLogIn(api.client);
    await make(account, { name: 'reader', role: 'viewer' });
    await make(account, { name: 'usual', role: null });
    await generateKeys(account);
    const roles = (await keysOf(account)).map(({ name, role }: { name: string; role: string }) => [name, role]);
    const made = [
      ['reader', 'viewer'],
      ['usual', 'owner'],
      ['default', 'owner'],
    ];
    expect(roles).toEqual(made);
    const events = ok(await account.client.get('/account-events?type=api-key-created'), 200).data;
    expect(events).toMatchObject(made.map(([name, role]) => ({ after: { name, role } })));
    await account.client.delete(`${KEYS}/${(await keysOf(account))[0].id}`);
    const [revoked] = ok(await account.client.get('/account-events?type=api-key-revoked'), 200).data;
    expect(revoked.before).toMatchObject({ name: 'reader', role: 'viewer' });
  });

  it('end at once in every process, and no other key with them', async () => {
    const account = await registerAndLogIn(api.client);
    const [revoked, other] = [await make(account, { name: 'one' }), await make(account, { name: 'two' })];
    for (const process of [0, 1]) expect(await statusIn(process, revoked.base64_encoded)).toBe(200);
    ok(await account.client.delete(`${KEYS}/${revoked.id}`), 200);
    for (const process of [0, 1]) {
      expect(await statusIn(process, revoked.base64_encoded)).toBe(401);
      expect(await statusIn(process, other.base64_encoded)).toBe(200);
    }
    const again = await account.client.delete(`${KEYS}/${revoked.id}`);
    expect([again.status, again.body]).toEqual([404, { status: 404, error: 'API key not found' }]);
  });

  it('show when they were last used', async () => {
    const account = await registerAndLogIn(api.client);
    const { base64_encoded, last_used_at } = await make(account, { name: 'used' });
    expect(last_used_at).toBeNull();
    const before = Date.now();
    expect(await statusIn(1, base64_encoded)).toBe(200);
    const used = await waitFor(async () => (await keysOf(account))[0].last_used_at ?? undefined);
    expect(Date.parse(used)).toBeGreaterThanOrEqual(before);
  });

  it('are made and revoked with a token only, but read with a key too', async () => {
    const account = await registerAndLogIn(api.client);
    const { id, base64_encoded } = await make(account, { name: 'reader' });
    const byKey = api.client.as({ base64: base64_encoded });
    expect((await byKey.post(KEYS, { name: 'bred' })).body).toEqual(UNAUTHORIZED);
    expect((await byKey.delete(`${KEYS}/${id}`)).body).toEqual(UNAUTHORIZED);
    expect(ok(await byKey.get(KEYS), 200).total).toBe(1);
  });

  it('send a mail to the account, those of generate-keys too', async () => {
    const account = await registerAndLogIn(api.client);
    await make(account, { name: 'from a stranger' });
    const mail = await api.mailTo(account, 'A new API key');
    expect(mail.raw).not.toContain('from a stranger');
    await generateKeys(account);
    await api.mailTo(account, 'A new API key', 2);
  });

  it('are at most 50, also for generate-keys, and have different names', async () => {
    const account = await registerAndLogIn(api.client);
    await make(account, { name: 'default' });
    const taken = { status: 409, error: 'An API key with this name already exists' };
    expect((await account.client.post(KEYS, { name: 'default' })).body).toEqual(taken);
    await api.database.query(
      `INSERT INTO api_keys (account_id, name, api_key, secret_hash)
       SELECT $1, n, 'key_' || n, 'x' FROM generate_series(1, 49) n`,
      [await accountIdOf(account)],
    );
    const error = 'An account may have at most 50 API keys: revoke one first';
    expect((await account.client.post(KEYS, { name: 'more' })).body).toEqual({ status: 400, error });
    await generateKeys(account);
    expect(ok(await account.client.get(`${KEYS}?per_page=100`), 200).total).toBe(50);
  });

  it.each([
    [{}, ['name should not be empty']],
    [{ name: 'x', role: 'approver' }, ['role must be one of the following values: viewer, trader, settler, owner']],
    [{ name: 'x', role: 7 }, ['role must be one of the following values: viewer, trader, settler, owner']],
    [{ name: 'x', secret: 'y' }, ['property secret should not exist']],
    [{ name: 'x', expires_at: 'soon' }, ['expires_at must be a timestamp or an ISO 8601 date']],
    [{ name: 'x', expires_at: '2026-01-15' }, ['expires_at must be in the future']],
    [{ name: 'x', expires_at: '9999-01-01' }, ['expires_at must not be after the year 9998']],
    [{ name: 'x'.repeat(101) }, ['name must be shorter than or equal to 100 characters']],
  ])('are refused when malformed: %j', async (body, message) => {
    const { client } = await registerAndLogIn(api.client);
    const answer = await client.post(KEYS, body);
    expect(answer.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
    expect(ok(await client.get(KEYS), 200).total).toBe(0);
  });
});

describe('the preference confirm_keys', () => {
  const GENERATE = '/auth/account/generate-keys';
  let account: LoggedIn;

  beforeAll(async () => {
    const admin = await registerAdmin(api.client, api.database);
    account = await registerAndLogIn(api.client);
    const preferences = { confirm_keys: true };
    ok(await admin.client.patch(`/admin/accounts/${await accountIdOf(account)}`, { preferences }), 200);
  });

  it.each([
    [KEYS, { name: 'guarded' }],
    [GENERATE, {}],
  ])('asks for the password at %s', async (path, body) => {
    const error = 'This account asks for its password here: send it as password';
    expect((await account.client.post(path, body)).body).toEqual({ status: 400, error });
    const wrong = await account.client.post(path, { ...body, password: 'not my password' });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'Current password is incorrect']);
    ok(await account.client.post(path, { ...body, password: account.password }));
  });
});
