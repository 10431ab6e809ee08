import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, logIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { type Admin, generateKeys, offer, ok, registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const ME = '/auth/account/me';
const SUSPENDED = {
  status: 403,
  error: 'This account is suspended: it may log in, read and end its access, nothing else',
};

const api = withTestApi({ processes: 2 });
let admin: Admin;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
});

interface Tenant {
  readonly account: LoggedIn;
  readonly id: number;
  /** With a token and with an API key, in each process. */
  readonly callers: readonly TestClient[];
}

async function openTenant(): Promise<Tenant> {
  const account = await registerAndLogIn(api.client);
  const { base64 } = await generateKeys(account);
  const callers = api.clients.flatMap((client) => [client.as({ token: account.token }), client.as({ base64 })]);
  const id = ok(await account.client.get(ME), 200).data.id;
  ok(await account.client.post('/account/user', { name: 'Ann', reference: `ann-${id}` }));
  return { account, id, callers };
}

const setStatus = (id: number, status: string) => admin.client.patch(`/admin/accounts/${id}`, { status });

const each = (
  callers: readonly TestClient[],
  call: (client: TestClient) => Promise<{ status: number; body: object }>,
) => Promise.all(callers.map(call));

describe('end-access', () => {
  it('ends every session and key at once in every process, and nothing else', async () => {
    const { account, id, callers } = await openTenant();
    const bystander = await openTenant();
    for (const { status } of await each(callers, (client) => client.get(ME))) expect(status).toBe(200);
    const ended = await admin.client.post(`/admin/accounts/${id}/end-access`);
    expect([ended.status, ended.body]).toEqual([200, { message: expect.any(String) }]);
    for (const { status } of await each(callers, (client) => client.get(ME))) expect(status).toBe(401);
    for (const { status } of await each(bystander.callers, (client) => client.get(ME))) expect(status).toBe(200);
    const client = api.client.as({ token: await logIn(api.client, account) });
    expect(ok(await client.get('/auth/account/api-keys'), 200).total).toBe(0);
    expect(ok(await client.get(ME), 200).data.api_key_generated_at).toBeNull();
    expect(ok(await client.get('/account-events?type=access-ended'), 200).data).toMatchObject([
      {
        actor: { type: 'admin', account_id: admin.id },
        before: { sessions: 1, api_keys: [{ name: 'default' }] },
        request_id: ended.headers.get('x-request-id'),
      },
    ]);
  });

  it('knows no other account, and is for admins', async () => {
    const { account, id } = await openTenant();
    expect((await admin.client.post('/admin/accounts/999999/end-access')).body).toEqual({
      status: 404,
      error: 'Account not found',
    });
    expect((await account.client.post(`/admin/accounts/${id}/end-access`)).status).toBe(403);
  });
});

describe('a suspended account', () => {
  it('reads and logs in, and is refused everything else at once in every process', async () => {
    const { account, id, callers } = await openTenant();
    const make = (client: TestClient) => client.post('/bets/make-offer', offer(`ann-${id}`, 1));
    for (const { status } of await each(callers, make)) expect(status).toBe(400); // Ann has no money.
    expect(ok(await setStatus(id, 'suspended'), 200).data.status).toBe('suspended');
    for (const { status, body } of await each(callers, make)) expect([status, body]).toEqual([403, SUSPENDED]);
    const client = api.client.as({ token: await logIn(api.client, account) });
    for (const path of [ME, '/account/user', '/account-events', '/auth/account/api-keys', '/auth/account/sessions']) {
      ok(await client.get(path), 200);
    }
    for (const refused of [
      client.post('/auth/account/api-keys', { name: 'more' }),
      client.post('/bets/batch', { operations: [] }),
      client.patch(`/account/user/ann-${id}/reference`, { name: 'Bob' }),
    ]) {
      expect((await refused).body).toEqual(SUSPENDED);
    }
    ok(await setStatus(id, 'active'), 200);
    for (const { status } of await each(callers, make)) expect(status).toBe(400);
  });

  it('may end its access: a key, a session, and its own token', async () => {
    const { account, id, callers } = await openTenant();
    ok(await setStatus(id, 'suspended'), 200);
    const client = api.client.as({ token: await logIn(api.client, account) });
    const [key] = ok(await client.get('/auth/account/api-keys'), 200).data;
    ok(await client.delete(`/auth/account/api-keys/${key.id}`), 200);
    const sessions = ok(await client.get('/auth/account/sessions'), 200).data;
    const first = sessions.find(({ current }: { current: boolean }) => !current);
    ok(await client.delete(`/auth/account/sessions/${first.id}`), 200);
    for (const { status } of await each(callers, (caller) => caller.get(ME))) expect(status).toBe(401);
    ok(await client.post('/auth/logout/account'), 200);
    expect((await client.get(ME)).status).toBe(401);
  });

  it('gets no stored answer of an earlier request either', async () => {
    const { account, id } = await openTenant();
    const keyed = account.client.with({ 'Idempotency-Key': 'once' });
    const create = () => keyed.post('/account/user', { name: 'Bob', reference: `bob-${id}` });
    ok(await create());
    ok(await setStatus(id, 'suspended'), 200);
    expect((await create()).body).toEqual(SUSPENDED);
  });

  it('is no admin: a suspended one reads its own account alone, and changes nothing', async () => {
    const other = await registerAdmin(api.client, api.database);
    ok(await setStatus(other.id, 'suspended'), 200);
    ok(await other.client.get('/auth/account/me'), 200);
    expect((await other.client.get('/admin/accounts')).body).toEqual(SUSPENDED);
    const events = ok(await other.client.get(`/account-events?account_ids=${admin.id}`), 200);
    expect(events.data).toEqual([]);
    expect((await other.client.patch(`/admin/accounts/${other.id}`, { status: 'active' })).body).toEqual(SUSPENDED);
  });

  it.each([[{ status: 'gone' }], [{ status: null }]])('is not made by %j', async (body) => {
    const { id } = await openTenant();
    expect((await admin.client.patch(`/admin/accounts/${id}`, body)).status).toBe(400);
  });

  it('is never the last admin', async () => {
    await api.database.query(`UPDATE accounts SET role = 'business' WHERE id <> $1`, [admin.id]);
    const last = { status: 400, error: 'The last active admin account must not be suspended' };
    expect((await setStatus(admin.id, 'suspended')).body).toEqual(last);
  });
});
