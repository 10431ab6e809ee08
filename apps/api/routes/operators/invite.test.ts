import { describe, expect, it } from '@jest/globals';
import { inventAccount, logIn, register, registerAndLogIn } from '#testing/client.js';
import { INVITED, inventPerson, withFreshOwner } from '#testing/people.js';
import { generateKeys, ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const PEOPLE = '/operators';
const ME = '/auth/account/me';
const LOGIN = '/auth/login/account';
const TAKEN = { status: 409, error: 'E-mail is taken' };
const INVALID = { status: 400, error: 'Invalid or expired invitation' };

const api = withTestApi({ processes: 2, hasWorker: true });
const { account, join, loggedIn, invite, tokenFor, accept, change, listed, eventsOf, shown } = withFreshOwner(api);

describe('an invitation', () => {
  it('brings a mail whose token makes a person who logs in as everybody does', async () => {
    const person = inventPerson('settler');
    const made = await account.client.post(PEOPLE, person);
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
      expect(shown(await account.client.post(PEOPLE, { ...inventPerson(), email: taken }))).toEqual([409, TAKEN]);
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
    expect(shown(await account.client.post(PEOPLE, { ...inventPerson(), email }))).toEqual([409, TAKEN]);
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
      expect(shown(await account.client.post(PEOPLE, { ...inventPerson(), email: person.email }))).toEqual([
        409,
        TAKEN,
      ]);
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
    ok(await account.client.post(`${PEOPLE}/${person.id}/invite`), 200);
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
    expect((await account.client.post(`${PEOPLE}/${person.id}/invite`)).body.error).toBe(
      'The person has accepted the invitation already',
    );
    const gone = await invite();
    const token = await tokenFor(gone);
    ok(await account.client.delete(`${PEOPLE}/${gone.id}`), 200);
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
    const { id } = ok(await account.client.get(ME), 200).data;
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
    expect(shown(await account.client.post(PEOPLE, inventPerson()))).toEqual([400, { status: 400, error }]);
  });

  it('is sent to one address 5 times a day', async () => {
    const person = await invite();
    for (let sent = 1; sent < 5; sent += 1) ok(await account.client.post(`${PEOPLE}/${person.id}/invite`), 200);
    expect((await account.client.post(`${PEOPLE}/${person.id}/invite`)).status).toBe(429);
    await invite();
  });

  it('is made with a session of the business alone', async () => {
    const { base64 } = await generateKeys(account);
    const sandbox = ok(await account.client.post('/account/sandboxes', { name: 'tests' })).data;
    for (const key of [base64, sandbox.base64_encoded]) {
      expect((await api.client.as({ base64: key }).post(PEOPLE, inventPerson())).status).toBe(401);
    }
    expect(ok(await api.client.as({ base64: sandbox.base64_encoded }).get(PEOPLE), 200).total).toBe(0);
  });
});
