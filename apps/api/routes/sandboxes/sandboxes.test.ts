import { beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { fundUsers, openSandbox } from '#testing/sandboxes.js';
import { giveFactor } from '#testing/second-factor.js';
import { acceptance, generateKeys, offer, ok, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ processes: 2, hasWorker: true });
let business: LoggedIn;

beforeEach(async () => {
  business = await registerAndLogIn(api.client);
});

const listed = async () => ok(await business.client.get('/account/sandboxes'), 200).data;
const remove = (id: number, client = business.client) => client.delete(`/account/sandboxes/${id}`);
const untilGone = (id: number) =>
  waitFor(async () => (await listed()).every((each: { id: number }) => each.id !== id) || undefined);

describe('a sandbox', () => {
  it('is an account of its own, with a key that is shown once', async () => {
    const made = ok(await business.client.post('/account/sandboxes', { name: 'nightly tests' }));
    expect(made).toEqual({
      data: {
        id: expect.any(Number),
        name: 'nightly tests',
        state: 'active',
        now: expect.any(String),
        created_at: expect.any(String),
        api_key: expect.stringMatching(new RegExp(`^key_${made.data.id}_`)),
        api_secret: expect.any(String),
        base64_encoded: expect.any(String),
      },
      message: 'Sandbox made. The secret is shown only this once',
    });
    const { id, name, state, created_at } = made.data;
    expect(await listed()).toEqual([{ id, name, state, created_at, now: expect.any(String) }]);
    const sandbox = business.client.as({ base64: made.data.base64_encoded });
    await fundUsers(sandbox);
    ok(await sandbox.post('/bets/make-offer', offer('ann', 10)));
    expect(ok(await business.client.get('/account/user'), 200).data.items).toEqual([]);
    expect((await business.client.get('/account/user/ann/reference')).status).toBe(404);
    expect(ok(await sandbox.get('/account/sandboxes'), 200).data).toEqual([]);
    await expectBooksToBalance(api.database);
  });

  it('counts money as its business does', async () => {
    ok(await business.client.patch('/auth/account/money', { currency: 'EUR', decimals: 2 }), 200);
    const { client } = await openSandbox(business.client);
    ok(await client.post('/account/user', { name: 'ann', reference: 'ann' }));
    const funded = await client.post('/transactions/fund-user', { user_reference: 'ann', amount: 1.001 });
    expect(funded.body.error).toBe('amount must not have more than 2 decimal places');
  });

  it('has the preferences of its business, but nobody who could approve or add a second factor', async () => {
    const approvals = { kinds: ['update_wager_outcome', 'withdraw_user'], above: 0, expires_in: 60 };
    const preferences = { approvals, require_second_factor: true, confirm_keys: true };
    await giveFactor(api.database, ok(await business.client.get('/operators/me'), 200).data.id);
    await api.database.query('UPDATE accounts SET preferences = $2 WHERE email = $1', [business.email, preferences]);
    const { id } = ok(await business.client.post('/account/sandboxes', { name: 'approvals' })).data;
    const [row] = await api.database.query('SELECT preferences FROM accounts WHERE id = $1', [id]);
    expect(row?.preferences).toEqual({ confirm_keys: true });
  });

  it('decides and pays alone, also when its business asks for approvals', async () => {
    const approvals = { kinds: ['update_wager_outcome', 'withdraw_user'], above: 0, expires_in: 60 };
    await api.database.query('UPDATE accounts SET preferences = $2 WHERE email = $1', [business.email, { approvals }]);
    const { client } = await openSandbox(business.client);
    await fundUsers(client);
    ok(await client.post('/bets/make-offer', offer('ann', 10)));
    ok(await client.post('/bets/accept-offer', acceptance('bob', 10)));
    ok(await client.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'win' }));
    await expectBooksToBalance(api.database);
  });

  it('is one of five at most, also when eight are made at once by two processes', async () => {
    const calls = Array.from({ length: 8 }, (_, index) =>
      (api.clients[index % 2] ?? api.client).as({ token: business.token }).post('/account/sandboxes', { name: 'same' }),
    );
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 400, 400, 400]);
    const error = 'A business may have at most 5 sandboxes, with those being deleted: delete one first';
    for (const { body } of answers.filter(({ status }) => status === 400)) expect(body).toEqual({ status: 400, error });
    const [{ id }] = await listed();
    ok(await remove(id), 200);
    await untilGone(id);
    ok(await business.client.post('/account/sandboxes', { name: 'the next' }));
  });

  it.each([{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'a\nb' }, { name: 'a', id: 1 }])(
    'is not made of %j',
    async (body) => {
      expect((await business.client.post('/account/sandboxes', body)).status).toBe(400);
      expect(await listed()).toEqual([]);
    },
  );

  it('has no sandbox, opens nothing of its business, and nobody logs in to it', async () => {
    const { id, client } = await openSandbox(business.client);
    const other = await openSandbox(business.client);
    const error = 'A sandbox cannot have sandboxes: call with a key of the business';
    expect((await client.post('/account/sandboxes', { name: 'inner' })).body).toEqual({ status: 400, error });
    expect((await remove(other.id, client)).status).toBe(404);
    expect((await remove(id, client)).status).toBe(404);
    expect((await client.post('/auth/account/generate-keys')).status).toBe(401);
    const [row] = await api.database.query('SELECT email FROM accounts WHERE id = $1', [id]);
    expect(row?.email).toMatch(/^sandbox-[0-9a-f-]{36}@sandbox\.invalid$/);
    for (const password of ['!', 'correct horse']) {
      expect((await api.client.post('/auth/login/account', { email: row?.email, password })).status).toBe(401);
    }
  });

  it('is out of reach for other businesses, which read nothing of it', async () => {
    const { id } = await openSandbox(business.client);
    const stranger = await registerAndLogIn(api.client);
    expect((await remove(id, stranger.client)).body).toEqual({ status: 404, error: 'Sandbox not found' });
    expect(ok(await stranger.client.get('/account/sandboxes'), 200).data).toEqual([]);
    expect(await listed()).toMatchObject([{ id, state: 'active' }]);
  });

  it('stops with its business in every process, and goes on with it', async () => {
    const admin = await registerAdmin(api.client, api.database);
    const { id, client } = await openSandbox(business.client);
    const clients = api.clients.map((each) => each.as(client.credential));
    await fundUsers(client);
    const [row] = await api.database.query('SELECT id::int FROM accounts WHERE email = $1', [business.email]);
    const statuses = async () =>
      Promise.all(clients.map(async (each) => (await each.post('/bets/make-offer', offer('ann', 1))).status));
    expect(await statuses()).toEqual([201, 201]);
    ok(await admin.client.patch(`/admin/accounts/${row?.id}`, { status: 'suspended' }), 200);
    expect(await statuses()).toEqual([403, 403]);
    expect((await admin.client.patch(`/admin/accounts/${id}`, { role: 'admin' })).body).toEqual({
      status: 400,
      error: 'A sandbox cannot be an admin',
    });
    expect((await client.post('/sandbox/clock', { advance_s: 1 })).status).toBe(403);
    ok(await admin.client.patch(`/admin/accounts/${row?.id}`, { status: 'active' }), 200);
    expect(await statuses()).toEqual([201, 201]);
  });

  it('gets no mail, whatever asks for one', async () => {
    const { id } = await openSandbox(business.client);
    const [row] = await api.database.query('SELECT email FROM accounts WHERE id = $1', [id]);
    ok(await api.client.post('/auth/account/forgot-password', { email: row?.email }), 200);
    await waitFor(async () => {
      const [left] = await api.database.query(
        'SELECT count(*)::int AS left FROM outbox WHERE account_id = $1 AND done_at IS NULL',
        [id],
      );
      return left?.left === 0 || undefined;
    });
    expect(await api.database.query('SELECT FROM reset_codes WHERE account_id = $1', [id])).toEqual([]);
  });

  it('has room for 100,000 bets: then offers and parts of them are refused, and the rest goes on', async () => {
    const { id, client } = await openSandbox(business.client);
    await fundUsers(client);
    ok(await client.post('/bets/make-offer', offer('ann', 10)));
    await api.database.query(
      `UPDATE ledger_totals SET bets = bets + 99998
        WHERE (account_id, shard) IN (SELECT account_id, shard FROM ledger_totals WHERE account_id = $1 LIMIT 1)`,
      [id],
    );
    const operations = ['a', 'b'].map((operation_id) => ({
      operation_type: 'make_bet_offer',
      operation_id,
      data: offer('ann', 1),
    }));
    const error = 'A sandbox may have at most 100000 bets: delete it and make another one';
    const batch = await client.post('/bets/batch', { operations });
    expect(batch.body).toMatchObject({ status: 400, error: `operation 'b': ${error}` });
    ok(await client.post('/bets/make-offer', offer('ann', 10)));
    const refused = { status: 400, error };
    expect((await client.post('/bets/make-offer', offer('ann', 10))).body).toEqual(refused);
    expect((await client.post('/bets/accept-offer', acceptance('bob', 5))).body).toEqual(refused);
    ok(await client.post('/bets/accept-offer', acceptance('bob', 10)));
    ok(await client.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'win' }));
    ok(await remove(id), 200);
    await untilGone(id);
  });

  it('is made and deleted by an API key as well, and both are events of its business', async () => {
    const keys = await generateKeys(business);
    const client = business.client.as({ base64: keys.base64 });
    const { id } = await openSandbox(client, 'by key');
    ok(await remove(id, client), 200);
    const { data } = ok(await business.client.get('/account-events?type=sandbox-created,sandbox-deleted'), 200);
    expect(data).toMatchObject([
      { type: 'sandbox-created', after: { id, name: 'by key' }, actor: { type: 'key' } },
      { type: 'sandbox-deleted', before: { id, name: 'by key' }, actor: { type: 'key' } },
    ]);
  });
});
