import { beforeAll, describe, expect, it } from '@jest/globals';
import { inventAccount, type LoggedIn, logIn, register, registerAndLogIn } from '#testing/client.js';
import { type Admin, generateKeys, ok, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const EVENTS = '/account-events';
const LOGIN = '/auth/login/account';
const EVENT_FIELDS = ['id', 'account_id', 'type', 'actor', 'address', 'before', 'after', 'request_id', 'created_at'];

const api = withTestApi();
let admin: Admin;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
});

interface Event {
  readonly type: string;
  readonly actor: { readonly type: string };
  readonly after: Record<string, unknown> | null;
  readonly request_id: string;
}

const eventsOf = async ({ client }: Pick<LoggedIn, 'client'>, query = ''): Promise<Event[]> =>
  ok(await client.get(`${EVENTS}?per_page=100&${query}`), 200).data;
const typesOf = async (account: LoggedIn) => (await eventsOf(account)).map(({ type }) => type);

describe('the events of an account', () => {
  it('say who did what, from where and with which request, when it is answered', async () => {
    const account = inventAccount();
    const registered = await api.client.post('/auth/register/account', account, {
      headers: { 'X-Request-Id': 'first' },
    });
    expect(registered.status).toBe(201);
    const client = api.client.as({ token: await logIn(api.client, account) });
    const made = await client.post('/auth/account/api-keys', { name: 'bets' });
    const { id } = ok(await client.get('/auth/account/me'), 200).data;
    const owner = { type: 'account', account_id: id, api_key_id: null, name: account.name };
    const list = ok(await client.get(EVENTS), 200);
    expect(list).toMatchObject({ total: 3, page: 1, per_page: 20, from: 1, to: 3 });
    for (const event of list.data) {
      expect(Object.keys(event)).toEqual(EVENT_FIELDS);
      expect(event).toMatchObject({ account_id: id, actor: owner, address: '127.0.0.1' });
    }
    expect(list.data).toMatchObject([
      { type: 'registered', before: null, after: { name: account.name, email: account.email }, request_id: 'first' },
      { type: 'login', before: null, after: { session_id: expect.any(Number) } },
      { type: 'api-key-created', after: { id: made.body.data.id, name: 'bets', role: 'owner', expires_at: null } },
    ]);
    expect(list.data[2].request_id).toBe(made.headers.get('x-request-id'));
  });

  it('name the key that a caller used', async () => {
    const account = await registerAndLogIn(api.client);
    const { base64 } = await generateKeys(account);
    const [next, path] = ['a newer horse', '/auth/account/reset-password'];
    const change = { password: account.password, new_password: next, password_confirmation: next };
    ok(await api.client.as({ base64 }).post(path, change), 200);
    const client = api.client.as({ token: await logIn(api.client, { ...account, password: next }) });
    const [changed] = await eventsOf({ client }, 'type=password-changed');
    const actor = {
      type: 'key',
      account_id: expect.any(Number),
      api_key_id: expect.any(Number),
      operator_id: expect.any(Number),
      name: 'default',
    };
    expect(changed?.actor).toEqual(actor);
  });

  it('have what admins changed, before and after', async () => {
    const account = await registerAndLogIn(api.client);
    const { id } = account;
    const preferences = { allow_negative_balance: true };
    const body = { name: 'Renamed', role: 'admin', status: 'suspended', preferences };
    const answer = await admin.client.patch(`/admin/accounts/${id}`, body);
    ok(answer, 200);
    ok(await admin.client.patch(`/admin/accounts/${id}`, { name: 'Renamed' }), 200);
    const actor = { type: 'admin', account_id: admin.id, api_key_id: null, name: admin.name };
    const request_id = answer.headers.get('x-request-id');
    const [renamed, ...others] = (await eventsOf(account)).slice(2);
    const named = { before: { name: account.name }, after: { name: 'Renamed' } };
    expect(renamed).toMatchObject({ type: 'name-changed', actor, request_id, ...named });
    const changes = ['preferences-changed', 'role-changed', 'status-changed'];
    expect(others).toMatchObject(changes.map((type) => ({ type, actor, request_id })));
  });

  it('are not written for what was refused', async () => {
    const account = await registerAndLogIn(api.client);
    await account.client.delete('/auth/account/sessions/4711');
    await account.client.post('/auth/account/api-keys', { name: 'x', expires_at: 'never' });
    expect(await typesOf(account)).toEqual(['registered', 'login']);
  });
});

describe('wrong logins', () => {
  it('are readable within 10 seconds, many from one address as one event', async () => {
    const account = await registerAndLogIn(api.client);
    const wrong = { email: account.email.toUpperCase(), password: 'not my password' };
    const headers = { 'X-Request-Id': 'the-first-guess' };
    expect((await api.client.post(LOGIN, wrong, { headers })).status).toBe(401);
    await Promise.all(Array.from({ length: 4 }, () => api.client.post(LOGIN, wrong)));
    expect((await api.client.post(LOGIN, { ...wrong, email: 'nobody@example.com' })).status).toBe(401);
    const events = await waitFor(
      async () => {
        const found = await eventsOf(account, 'type=login-refused');
        return found.reduce((sum, { after }) => sum + Number(after?.attempts), 0) === 5 && found;
      },
      { timeoutMs: 10_000 },
    );
    expect(events.length).toBeLessThanOrEqual(2);
    const actor = { type: 'unknown', account_id: null, api_key_id: null, name: null };
    expect(events[0]).toMatchObject({ actor, address: '127.0.0.1', before: null, request_id: 'the-first-guess' });
  });
});

describe('the list of events', () => {
  it('takes types, times and a sort', async () => {
    const account = await registerAndLogIn(api.client);
    await logIn(api.client, account);
    const all = ok(await account.client.get(EVENTS), 200).data;
    expect(await eventsOf(account, 'type=registered')).toEqual(all.slice(0, 1));
    expect(await eventsOf(account, 'created_after=2099-01-01')).toEqual([]);
    expect(await eventsOf(account, 'created_before=2020-01-01')).toEqual([]);
    expect(await eventsOf(account, 'sort_direction=desc')).toEqual(all.toReversed());
    expect((await account.client.get(`${EVENTS}?type=borrowed`)).status).toBe(400);
  });

  it('shows an account its own, and an admin those of the accounts it names', async () => {
    const [one, other] = [await registerAndLogIn(api.client), await registerAndLogIn(api.client)];
    const ids = [one.id, other.id];
    const seen = async ({ client }: LoggedIn, accountIds: readonly number[]) => {
      const { data } = ok(await client.get(`${EVENTS}?account_ids=${accountIds}`), 200);
      return [...new Set(data.map(({ account_id }: { account_id: number }) => account_id))].sort();
    };
    expect(await seen(one, ids)).toEqual([ids[0]]);
    expect(await seen(one, [ids[1] ?? 0])).toEqual([]);
    expect(await seen(admin, ids)).toEqual([...ids].sort());
    expect(new Set((await eventsOf(admin)).map(({ actor }) => actor.type))).toEqual(new Set(['account']));
  });
});

describe('the log line of a login', () => {
  it.each([
    ['right', 200],
    ['wrong', 401],
  ])('that is %s names the account', async (how, status) => {
    const account = await register(api.client);
    const password = how === 'right' ? account.password : 'not my password';
    const headers = { 'X-Request-Id': `login-${how}` };
    await api.client.post(LOGIN, { email: account.email, password }, { headers });
    const line = await waitFor(() =>
      api.environment.logLines.map((text) => JSON.parse(text)).find(({ id }) => id === headers['X-Request-Id']),
    );
    const [row] = await api.database.query('SELECT id::int FROM accounts WHERE email = $1', [account.email]);
    expect(line).toMatchObject({ status, account_id: row?.id });
  });
});
