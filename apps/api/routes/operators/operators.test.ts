import { beforeEach, describe, expect, it } from '@jest/globals';
import { logIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { inventPerson, joinAs, type TestPerson, withFreshOwner } from '#testing/people.js';
import { addFactor } from '#testing/second-factor.js';
import { generateKeys, ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const PEOPLE = '/operators';
const ME = '/auth/account/me';
const LOGIN = '/auth/login/account';
const LAST_OWNER = { status: 409, error: 'The last owner stays' };

const api = withTestApi({ processes: 2, hasWorker: true });
const { account, mailTo, join, loggedIn, invite, tokenFor, accept, change, listed, eventsOf, shown } =
  withFreshOwner(api);

describe('a change of a person', () => {
  let person: TestPerson;
  let clients: readonly TestClient[];

  beforeEach(async () => {
    person = await join('owner');
    const token = await logIn(api.client, person);
    clients = api.clients.map((client) => client.as({ token }));
    for (const client of clients) ok(await client.get(ME), 200);
  });

  const statuses = async (path: string) => Promise.all(clients.map(async (client) => (await client.get(path)).status));

  it('of the role counts at once in every process, for its keys too', async () => {
    const { base64 } = await generateKeys({ ...account, client: clients[0] as TestClient });
    const keyed = api.clients.map((client) => client.as({ base64 }));
    for (const client of keyed) expect((await client.post('/account/user', {})).status).toBe(400);
    ok(await change(person.id, { role: 'viewer' }), 200);
    for (const client of [...clients, ...keyed]) {
      expect((await client.post('/account/user', {})).body.error).toBe('Your role does not allow this');
    }
    expect((await eventsOf()).at(-1)).toMatchObject({
      type: 'operator-changed',
      before: { role: 'owner' },
      after: { id: person.id, name: person.name, role: 'viewer' },
    });
    const before = (await eventsOf()).length;
    ok(await change(person.id, { role: 'viewer', name: person.name, state: 'active' }), 200);
    ok(await change(person.id, {}), 200);
    expect(await eventsOf()).toHaveLength(before);
  });

  it('that suspends it ends its sessions at once, and its keys open nothing until it is active again', async () => {
    const { base64 } = await generateKeys({ ...account, client: clients[0] as TestClient });
    const keyed = api.clients.map((client) => client.as({ base64 }));
    for (const client of keyed) ok(await client.get(ME), 200);
    ok(await change(person.id, { state: 'suspended' }), 200);
    for (const client of [...clients, ...keyed]) expect((await client.get(ME)).status).toBe(401);
    const wrong = await api.client.post(LOGIN, { email: account.email, password: 'wrong' });
    const right = await api.client.post(LOGIN, { email: person.email, password: person.password });
    expect(shown(right)).toEqual(shown(wrong));
    expect((await eventsOf('type=operator-changed')).at(-1)).toMatchObject({
      before: { state: 'active', sessions: 1 },
      after: { state: 'suspended' },
    });
    ok(await change(person.id, { state: 'active' }), 200);
    for (const client of keyed) ok(await client.get(ME), 200);
    expect(await statuses(ME)).toEqual([401, 401]);
    await loggedIn(person);
  });

  it('that suspends it ends a code for a new password', async () => {
    ok(await api.client.post('/auth/account/forgot-password', { email: person.email }), 200);
    const { raw } = await api.mailTo(person, 'Your password reset code');
    const token = /^(\d{8})\s*$/m.exec(raw)?.[1];
    ok(await change(person.id, { state: 'suspended' }), 200);
    ok(await change(person.id, { state: 'active' }), 200);
    const body = { email: person.email, token, password: 'stolen horse', password_confirmation: 'stolen horse' };
    const answer = await api.client.post('/auth/account/create-password-for-forgot-password', body);
    expect([answer.status, answer.body.error]).toEqual([400, 'Invalid or expired reset token']);
  });

  it('that removes its lost second factor ends its sessions, tells it, and leaves its password', async () => {
    const person = await join('trader');
    const client = await loggedIn(person);
    const path = `${PEOPLE}/${person.id}/second-factor`;
    const missing = { status: 409, error: 'There is no second factor' };
    expect(shown(await account.client.delete(path))).toEqual([409, missing]);
    await addFactor(client, person);
    const { email, password } = person;
    expect((await api.client.post(LOGIN, { email, password })).status).toBe(401);
    ok(await account.client.delete(path), 200);
    for (const process of api.clients) expect((await process.as(client.credential).get(ME)).status).toBe(401);
    expect(ok(await (await loggedIn(person)).get(`${PEOPLE}/me`), 200).data.has_second_factor).toBe(false);
    await api.mailTo(person, 'Your second factor was removed');
    const [event] = await eventsOf('type=second-factor-removed');
    expect(event).toMatchObject({ before: { id: person.id, name: person.name, sessions: 1 } });
    expect(shown(await account.client.delete(path))).toEqual([409, missing]);
  });

  it('that removes its own second factor takes the password and a code', async () => {
    const { id } = ok(await account.client.get(`${PEOPLE}/me`), 200).data;
    await addFactor(account.client, account);
    const error = 'Remove your own second factor with your password and a code';
    expect(shown(await account.client.delete(`${PEOPLE}/${id}/second-factor`))).toEqual([403, { status: 403, error }]);
  });

  it('that deletes it ends its sessions and keys at once, and keeps its name in trails', async () => {
    const { base64 } = await generateKeys({ ...account, client: clients[0] as TestClient });
    const key = api.client.as({ base64 });
    ok(await key.post('/account/user', { name: 'Ann', reference: 'ann' }));
    ok(await account.client.delete(`${PEOPLE}/${person.id}`), 200);
    for (const client of [...clients, key]) expect((await client.get(ME)).status).toBe(401);
    expect((await api.client.post(LOGIN, { email: person.email, password: person.password })).status).toBe(401);
    expect(await listed()).toHaveLength(1);
    for (const call of [
      account.client.get(`${PEOPLE}/${person.id}`),
      account.client.delete(`${PEOPLE}/${person.id}`),
    ]) {
      expect(shown(await call)).toEqual([404, { status: 404, error: 'Operator not found' }]);
    }
    expect(ok(await account.client.get('/auth/account/api-keys'), 200).total).toBe(0);
    const trail = await eventsOf(`operator_id=${person.id}`);
    expect(trail.map(({ type }) => type)).toEqual(['operator-joined', 'login', 'api-key-created']);
    for (const { actor } of trail) expect(actor).toMatchObject({ operator_id: person.id, name: person.name });
    expect((await eventsOf()).at(-1)).toMatchObject({
      type: 'operator-deleted',
      before: { id: person.id, email: person.email, sessions: 1, api_keys: [{ name: 'default' }] },
      after: null,
    });
    const again = await invite({ ...inventPerson(), email: person.email });
    expect(again.id).not.toBe(person.id);
    ok(await accept(await tokenFor(again, 2)), 200);
  });

  it('leaves mails about the account to an owner who is there', async () => {
    const [first] = await listed();
    const client = clients[0] as TestClient;
    ok(await client.delete(`${PEOPLE}/${first.id}`), 200);
    expect((await account.client.get(ME)).status).toBe(401);
    ok(await client.post('/auth/account/api-keys', { name: 'server' }));
    await api.mailTo(person, 'A new API key');
    const back = ok(await client.post(PEOPLE, { ...inventPerson(), email: account.email })).data;
    expect(back).toMatchObject({ email: account.email, state: 'invited' });
  });
});

describe('the last active owner', () => {
  it('stays, whatever the others are', async () => {
    const [first] = await listed();
    const other = await join('owner');
    await join('trader');
    await invite(inventPerson('owner'));
    ok(await change(other.id, { state: 'suspended' }), 200);
    for (const body of [{ role: 'settler' }, { state: 'suspended' }, { role: 'viewer', state: 'suspended' }]) {
      expect(shown(await change(first.id, body))).toEqual([409, LAST_OWNER]);
    }
    expect(shown(await account.client.delete(`${PEOPLE}/${first.id}`))).toEqual([409, LAST_OWNER]);
    expect((await listed())[0]).toEqual(first);
    ok(await change(first.id, { name: 'Renamed' }), 200);
    ok(await change(other.id, { state: 'active' }), 200);
    ok(await change(first.id, { role: 'viewer' }), 200);
    expect((await change(first.id, { role: 'owner' })).body.error).toBe('Your role does not allow this');
  });

  it('stays when two owners go, or remove each other, at the same time', async () => {
    for (const act of ['demote', 'suspend', 'delete', 'go'] as const) {
      const house = await registerAndLogIn(api.client);
      const { id } = ok(await house.client.get(`${PEOPLE}/me`), 200).data;
      const other = await joinAs(house.client, 'owner', mailTo);
      const second = await loggedIn(other);
      const remove = (client: TestClient, whom: number) =>
        act === 'delete' || act === 'go'
          ? client.delete(`${PEOPLE}/${whom}`)
          : client.patch(`${PEOPLE}/${whom}`, act === 'demote' ? { role: 'viewer' } : { state: 'suspended' });
      const [mine, its] = act === 'go' ? [id, other.id] : [other.id, id];
      const answers = await Promise.all([remove(house.client, mine), remove(second, its)]);
      const codes = answers.map(({ status }) => status).sort();
      expect([act, codes[0]]).toEqual([act, 200]);
      expect([401, 403, 409]).toContain(codes[1]);
      const [row] = await api.database.query(
        `SELECT count(*)::int AS owners FROM operators WHERE role = 'owner' AND state = 'active' AND account_id =
           (SELECT account_id FROM operators WHERE id = $1)`,
        [id],
      );
      expect([act, row?.owners]).toEqual([act, 1]);
    }
  });
});

describe('sessions and keys', () => {
  let trader: TestPerson;
  let client: TestClient;

  beforeEach(async () => {
    trader = await join('trader');
    client = await loggedIn(trader);
  });

  const SESSIONS = '/auth/account/sessions';
  const sessionsOf = async (caller: TestClient): Promise<{ id: number; operator: object }[]> =>
    ok(await caller.get(SESSIONS), 200).data;

  it('of all people are seen and ended by owners, by others their own', async () => {
    const everyone = await sessionsOf(account.client);
    const ofTrader = { id: trader.id, name: trader.name };
    expect(everyone.map(({ operator }) => operator)).toMatchObject([ofTrader, { name: account.name }]);
    const own = await sessionsOf(client);
    expect(own).toMatchObject([{ operator: ofTrader, current: true }]);
    const ofOwner = everyone[1]?.id;
    const refused = await client.delete(`${SESSIONS}/${ofOwner}`);
    expect(shown(refused)).toEqual([404, { status: 404, error: 'Session not found' }]);
    const second = await loggedIn(trader);
    ok(await client.delete(`${SESSIONS}/${(await sessionsOf(client))[0]?.id}`), 200);
    expect((await second.get(ME)).status).toBe(401);
    ok(await account.client.delete(`${SESSIONS}/${own[0]?.id}`), 200);
    expect((await client.get(ME)).status).toBe(401);
    ok(await account.client.get(ME), 200);
  });

  it('are ended everywhere for one person alone', async () => {
    ok(await client.post('/auth/logout/account?logout_all=true'), 200);
    expect((await client.get(ME)).status).toBe(401);
    ok(await account.client.get(ME), 200);
  });

  it('show who made a key, also to a key', async () => {
    const { base64 } = await generateKeys(account);
    const keys = ok(await api.client.as({ base64 }).get('/auth/account/api-keys'), 200).data;
    const { id } = ok(await account.client.get(`${PEOPLE}/me`), 200).data;
    expect(keys).toMatchObject([{ name: 'default', operator: { id, name: account.name } }]);
    expect(ok(await api.client.as({ base64 }).get(SESSIONS), 200).total).toBe(2);
    const made = ok(await account.client.post('/auth/account/api-keys', { name: 'viewer', role: 'viewer' })).data;
    expect(ok(await api.client.as({ base64: made.base64_encoded }).get(SESSIONS), 200).total).toBe(0);
  });
});

describe('the trail of a person', () => {
  it('has what it did itself and with its keys, and nothing of others', async () => {
    const person = await join('owner');
    const client = await loggedIn(person);
    const { base64 } = await generateKeys({ ...account, client });
    ok(await api.client.as({ base64 }).post('/exports', { kind: 'bets', from: '2026-01-01', to: '2026-02-01' }), 202);
    ok(await account.client.patch('/auth/account/preferences', { confirm_keys: true }), 200);
    const trail = await eventsOf(`operator_id=${person.id}`);
    expect(trail.map(({ type }) => type)).toEqual(['operator-joined', 'login', 'api-key-created', 'export-requested']);
    const stranger = await registerAndLogIn(api.client);
    const seen = ok(await stranger.client.get(`/account-events?operator_id=${person.id}`), 200);
    expect(seen).toMatchObject({ data: [], total: 0 });
  });
});
