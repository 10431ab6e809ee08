import { beforeEach, describe, expect, it } from '@jest/globals';
import { inventAccount, type LoggedIn, logIn, register, registerAndLogIn, type TestClient } from '#testing/client.js';
import { INVITED, inventPerson, invitationTokenIn, joinAs, type TestPerson } from '#testing/people.js';
import { addFactor } from '#testing/second-factor.js';
import { generateKeys, ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const PEOPLE = '/operators';
const ACCEPT = '/operators/accept-invitation';
const ME = '/auth/account/me';
const LOGIN = '/auth/login/account';
const LAST_OWNER = { status: 409, error: 'The last owner stays' };
const TAKEN = { status: 409, error: 'E-mail is taken' };
const INVALID = { status: 400, error: 'Invalid or expired invitation' };

const api = withTestApi({ processes: 2, hasWorker: true });
let account: LoggedIn;
let owner: TestClient;

beforeEach(async () => {
  account = await registerAndLogIn(api.client);
  owner = account.client;
});

const mailTo: typeof api.mailTo = (...args) => api.mailTo(...args);
const join = (role: string) => joinAs(owner, role, mailTo);
const loggedIn = async (person: TestPerson) => api.client.as({ token: await logIn(api.client, person) });
const invite = async (person = inventPerson()) => ({ ...person, ...ok(await owner.post(PEOPLE, person)).data });
const tokenFor = async (person: { email: string }, count = 1) =>
  invitationTokenIn(await api.mailTo(person, INVITED, count));
const accept = (token: string, password = 'right horse') => api.client.post(ACCEPT, { token, password });
const change = (id: number, body: object) => owner.patch(`${PEOPLE}/${id}`, body);
const listed = async () => ok(await owner.get(PEOPLE), 200).data;
const eventsOf = async (query = ''): Promise<{ type: string; before: object; after: object; actor: object }[]> =>
  ok(await owner.get(`/account-events?per_page=100&${query}`), 200).data;
const shown = ({ status, body }: { status: number; body: object }) => [status, body];

describe('an invitation', () => {
  it('brings a mail whose token makes a person who logs in as everybody does', async () => {
    const person = inventPerson('settler');
    const made = await owner.post(PEOPLE, person);
    expect(made).toMatchObject({ status: 201, body: { data: { ...person, state: 'invited', last_login_at: null } } });
    const { id } = made.body.data;
    expect(Object.keys(made.body.data)).toEqual([
      'id',
      'email',
      'name',
      'role',
      'state',
      'has_second_factor',
      'last_login_at',
      'created_at',
    ]);
    const { raw } = await api.mailTo(person, INVITED);
    expect(raw).toContain(`/operators/accept-invitation`);
    expect(raw).not.toContain(account.name);
    ok(await accept(await tokenFor(person)), 200);
    const client = await loggedIn({ ...person, id, password: 'right horse' });
    const { data } = ok(await client.get(`${PEOPLE}/me`), 200);
    expect(data).toMatchObject({ id, ...person, state: 'active' });
    expect(Date.parse(data.last_login_at)).toBeGreaterThan(Date.parse(data.created_at));
    expect(ok(await client.get(ME), 200).data.email).toBe(account.email);
    expect(await listed()).toMatchObject([{ email: account.email, role: 'owner' }, data]);
    const after = { id, email: person.email, name: person.name, role: 'settler' };
    const told = (await eventsOf()).filter(({ type }) => type.startsWith('operator-'));
    expect(told).toMatchObject([
      { type: 'operator-invited', after, actor: { type: 'account', name: account.name } },
      { type: 'operator-joined', after, actor: { type: 'account', name: person.name, operator_id: id } },
    ]);
  });

  it('is for an address that no person and no other account has', async () => {
    const [other, { email }] = [await register(api.client), await invite()];
    for (const taken of [other.email.toUpperCase(), email.toUpperCase(), account.email]) {
      expect(shown(await owner.post(PEOPLE, { ...inventPerson(), email: taken }))).toEqual([409, TAKEN]);
    }
    const stranger = await registerAndLogIn(api.client);
    expect(shown(await stranger.client.post(PEOPLE, { ...inventPerson(), email }))).toEqual([409, TAKEN]);
    const joined = await join('viewer');
    const again = await api.client.post('/auth/register/account', { ...inventAccount(), email: joined.email });
    expect(shown(again)).toEqual([409, { status: 409, error: 'Email is already registered' }]);
  });

  it('keeps its address from nobody who registers with it', async () => {
    const person = await invite();
    const token = await tokenFor(person);
    const other = { ...inventAccount(), email: person.email.toUpperCase() };
    ok(await api.client.post('/auth/register/account', other));
    await logIn(api.client, other);
    expect(shown(await accept(token))).toEqual([400, INVALID]);
    expect(await listed()).toHaveLength(1);
    const { id, email, name, role } = person;
    const ended = { id, email, name, role, state: 'invited', sessions: 0, api_keys: [] };
    expect((await eventsOf()).at(-1)).toMatchObject({
      type: 'operator-deleted',
      actor: { type: 'unknown', account_id: null, name: null },
      address: null,
      before: ended,
    });
    expect(shown(await owner.post(PEOPLE, { ...inventPerson(), email }))).toEqual([409, TAKEN]);
  });

  it('keeps its address from no other account when it has ended, whether its mail was sent or not', async () => {
    const stranger = await registerAndLogIn(api.client);
    for (const ended of [
      'invited_until = now()',
      "invited_until = NULL, invitation_hash = NULL, created_at = now() - interval '7 days'",
    ]) {
      const person = await invite();
      const token = await tokenFor(person);
      await api.database.query(`UPDATE operators SET ${ended} WHERE id = $1`, [person.id]);
      expect(shown(await owner.post(PEOPLE, { ...inventPerson(), email: person.email }))).toEqual([409, TAKEN]);
      const next = ok(await stranger.client.post(PEOPLE, { ...inventPerson(), email: person.email })).data;
      expect(await listed()).toHaveLength(1);
      expect(shown(await accept(token))).toEqual([400, INVALID]);
      ok(await accept(await tokenFor(person, 2)), 200);
      expect(ok(await stranger.client.get(`${PEOPLE}/${next.id}`), 200).data.state).toBe('active');
    }
  });

  it('is accepted or loses its address, when both are tried at once', async () => {
    for (let tried = 0; tried < 4; tried += 1) {
      const person = await invite();
      const token = await tokenFor(person);
      const other = { ...inventAccount(), email: person.email };
      const answers = await Promise.all([accept(token), api.client.post('/auth/register/account', other)]);
      expect([
        [200, 409],
        [400, 201],
      ]).toContainEqual(answers.map(({ status }) => status));
    }
  });

  it('lives 7 days, works once, and ends when a newer one is sent or the person is deleted', async () => {
    const person = await invite();
    const first = await tokenFor(person);
    ok(await owner.post(`${PEOPLE}/${person.id}/invite`), 200);
    const second = await tokenFor(person, 2);
    expect(shown(await accept(first))).toEqual([400, INVALID]);
    const move = (by: string) =>
      api.database.query(`UPDATE operators SET invited_until = invited_until - interval '${by}' WHERE id = $1`, [
        person.id,
      ]);
    const [row] = await api.database.query(
      `SELECT extract(epoch FROM invited_until - clock_timestamp())::int AS left FROM operators WHERE id = $1`,
      [person.id],
    );
    expect(Math.abs(Number(row?.left) - 7 * 86_400)).toBeLessThan(300);
    await move('7 days');
    expect(shown(await accept(second))).toEqual([400, INVALID]);
    await move('-7 days');
    ok(await accept(second), 200);
    expect(shown(await accept(second))).toEqual([400, INVALID]);
    expect((await owner.post(`${PEOPLE}/${person.id}/invite`)).body.error).toBe(
      'The person has accepted the invitation already',
    );
    const gone = await invite();
    const token = await tokenFor(gone);
    ok(await owner.delete(`${PEOPLE}/${gone.id}`), 200);
    expect(shown(await accept(token))).toEqual([400, INVALID]);
  });

  it('takes no guessable password, which does not use it up', async () => {
    const person = await invite({ ...inventPerson(), name: 'Roberta Tables' });
    const token = await tokenFor(person);
    for (const wrong of [token, `${token.slice(0, -1)}x`, 'nothing']) {
      expect((await accept(wrong, 'password1')).body.error).toMatch(/common or breached/);
      expect((await accept(wrong, 'betting-ledger')).body.error).toMatch(/must not be the name/);
    }
    for (const obvious of ['roberta tables', account.name, person.email]) {
      expect((await accept(token, obvious)).body.error).toMatch(/must not be/);
    }
    ok(await accept(token), 200);
  });

  it('makes nobody who may log in before it is accepted', async () => {
    const person = await invite();
    expect((await api.client.post(LOGIN, { email: person.email, password: 'right horse' })).status).toBe(401);
    for (const state of ['active', 'suspended']) {
      const error = 'The person has not accepted the invitation yet';
      expect(shown(await change(person.id, { state }))).toEqual([409, { status: 409, error }]);
    }
    ok(await api.client.post('/auth/account/forgot-password', { email: person.email }), 200);
    ok(await change(person.id, { role: 'viewer', name: 'Another' }), 200);
    ok(await accept(await tokenFor(person)), 200);
    expect((await listed())[1]).toMatchObject({ role: 'viewer', name: 'Another', state: 'active' });
  });

  it('is none of a suspended account, and is refused beyond 100 people', async () => {
    const { id } = ok(await owner.get(ME), 200).data;
    const person = await invite();
    const token = await tokenFor(person);
    const setStatus = (status: string) =>
      api.database.query('UPDATE accounts SET status = $2 WHERE id = $1', [id, status]);
    await setStatus('suspended');
    expect(shown(await accept(token))).toEqual([400, INVALID]);
    await setStatus('active');
    await api.database.query(
      `INSERT INTO operators (account_id, name, email, role, state)
       SELECT $1, n, n || '-' || $2, 'viewer', CASE WHEN n > 98 THEN 'deleted' ELSE 'active' END FROM generate_series(1, 150) n`,
      [id, account.email],
    );
    const error = 'An account may have at most 100 people: delete one first';
    expect(shown(await owner.post(PEOPLE, inventPerson()))).toEqual([400, { status: 400, error }]);
  });

  it('is sent to one address 5 times a day', async () => {
    const person = await invite();
    for (let sent = 1; sent < 5; sent += 1) ok(await owner.post(`${PEOPLE}/${person.id}/invite`), 200);
    expect((await owner.post(`${PEOPLE}/${person.id}/invite`)).status).toBe(429);
    await invite();
  });

  it('is made with a session of the business alone', async () => {
    const { base64 } = await generateKeys(account);
    const sandbox = ok(await owner.post('/account/sandboxes', { name: 'tests' })).data;
    for (const key of [base64, sandbox.base64_encoded]) {
      expect((await api.client.as({ base64: key }).post(PEOPLE, inventPerson())).status).toBe(401);
    }
    expect(ok(await api.client.as({ base64: sandbox.base64_encoded }).get(PEOPLE), 200).total).toBe(0);
  });
});

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
    expect(shown(await owner.delete(path))).toEqual([409, missing]);
    await addFactor(client, person);
    const { email, password } = person;
    expect((await api.client.post(LOGIN, { email, password })).status).toBe(401);
    ok(await owner.delete(path), 200);
    for (const process of api.clients) expect((await process.as(client.credential).get(ME)).status).toBe(401);
    expect(ok(await (await loggedIn(person)).get(`${PEOPLE}/me`), 200).data.has_second_factor).toBe(false);
    await api.mailTo(person, 'Your second factor was removed');
    const [event] = await eventsOf('type=second-factor-removed');
    expect(event).toMatchObject({ before: { id: person.id, name: person.name, sessions: 1 } });
    expect(shown(await owner.delete(path))).toEqual([409, missing]);
  });

  it('that removes its own second factor takes the password and a code', async () => {
    const { id } = ok(await owner.get(`${PEOPLE}/me`), 200).data;
    await addFactor(owner, account);
    const error = 'Remove your own second factor with your password and a code';
    expect(shown(await owner.delete(`${PEOPLE}/${id}/second-factor`))).toEqual([403, { status: 403, error }]);
  });

  it('that deletes it ends its sessions and keys at once, and keeps its name in trails', async () => {
    const { base64 } = await generateKeys({ ...account, client: clients[0] as TestClient });
    const key = api.client.as({ base64 });
    ok(await key.post('/account/user', { name: 'Ann', reference: 'ann' }));
    ok(await owner.delete(`${PEOPLE}/${person.id}`), 200);
    for (const client of [...clients, key]) expect((await client.get(ME)).status).toBe(401);
    expect((await api.client.post(LOGIN, { email: person.email, password: person.password })).status).toBe(401);
    expect(await listed()).toHaveLength(1);
    for (const call of [owner.get(`${PEOPLE}/${person.id}`), owner.delete(`${PEOPLE}/${person.id}`)]) {
      expect(shown(await call)).toEqual([404, { status: 404, error: 'Operator not found' }]);
    }
    expect(ok(await owner.get('/auth/account/api-keys'), 200).total).toBe(0);
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
    expect((await owner.get(ME)).status).toBe(401);
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
    expect(shown(await owner.delete(`${PEOPLE}/${first.id}`))).toEqual([409, LAST_OWNER]);
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
    const everyone = await sessionsOf(owner);
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
    ok(await owner.delete(`${SESSIONS}/${own[0]?.id}`), 200);
    expect((await client.get(ME)).status).toBe(401);
    ok(await owner.get(ME), 200);
  });

  it('are ended everywhere for one person alone', async () => {
    ok(await client.post('/auth/logout/account?logout_all=true'), 200);
    expect((await client.get(ME)).status).toBe(401);
    ok(await owner.get(ME), 200);
  });

  it('show who made a key, also to a key', async () => {
    const { base64 } = await generateKeys(account);
    const keys = ok(await api.client.as({ base64 }).get('/auth/account/api-keys'), 200).data;
    const { id } = ok(await owner.get(`${PEOPLE}/me`), 200).data;
    expect(keys).toMatchObject([{ name: 'default', operator: { id, name: account.name } }]);
    expect(ok(await api.client.as({ base64 }).get(SESSIONS), 200).total).toBe(2);
    const made = ok(await owner.post('/auth/account/api-keys', { name: 'viewer', role: 'viewer' })).data;
    expect(ok(await api.client.as({ base64: made.base64_encoded }).get(SESSIONS), 200).total).toBe(1);
  });
});

describe('the trail of a person', () => {
  it('has what it did itself and with its keys, and nothing of others', async () => {
    const person = await join('owner');
    const client = await loggedIn(person);
    const { base64 } = await generateKeys({ ...account, client });
    ok(await api.client.as({ base64 }).post('/exports', { kind: 'bets', from: '2026-01-01', to: '2026-02-01' }), 202);
    ok(await owner.patch('/auth/account/preferences', { confirm_keys: true }), 200);
    const trail = await eventsOf(`operator_id=${person.id}`);
    expect(trail.map(({ type }) => type)).toEqual(['operator-joined', 'login', 'api-key-created', 'export-requested']);
    const stranger = await registerAndLogIn(api.client);
    const seen = ok(await stranger.client.get(`/account-events?operator_id=${person.id}`), 200);
    expect(seen).toMatchObject({ data: [], total: 0 });
  });
});
