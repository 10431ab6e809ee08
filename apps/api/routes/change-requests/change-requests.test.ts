import { beforeEach, describe, expect, it } from '@jest/globals';
import { approvalKinds } from '#accounts/approvals.js';
import { expectBooksToBalance } from '#testing/books.js';
import type { Answer, TestClient } from '#testing/client.js';
import { type AddedPerson, addPerson } from '#testing/people.js';
import { type Admin, generateKeys, ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
const business = withFreshBusiness(api);
const REASON = 'The match has ended 2:1';
const ALL = approvalKinds;

let accountId: number;
let bea: AddedPerson;

const approvals = (more: object = {}) => ({ kinds: ALL, above: 5, expires_in: 3_600, ...more });

beforeEach(async () => {
  accountId = business.account.id;
  bea = await addPerson(api.database, api.client, { accountId });
  await business.user('ann');
  await business.user('bob');
  ok(await business.client.patch('/auth/account/preferences', { approvals: approvals() }), 200);
});

const decision = (outcome = 'win', reference = 'match') => ({ type: 'update_wager_outcome', reference, outcome });
const ask = (operation: object, more: object = {}, by: TestClient = business.client) =>
  by.post('/change-requests', { operation, reason: REASON, ...more });
const asked = async (operation: object, more: object = {}) => ok(await ask(operation, more)).data;
const read = async (id: number) => ok(await business.client.get(`/change-requests/${id}`), 200).data;
const approve = (id: number, revision: number, by: TestClient = bea.client) =>
  by.post(`/change-requests/${id}/approve`, { revision });
const requiredId = (answer: Answer): number => {
  const { id } = ok(answer, 202).change_request;
  expect(answer.body).toEqual({ message: 'Approval required', change_request: { id, state: 'pending' } });
  return id;
};
const eventsOf = async (family = 'change_request.*') =>
  ok(await business.client.get(`/events?types=${family}`), 200).data;
const wager = async (reference = 'match') => ok(await business.client.get(`/wagers/${reference}`), 200).data;

describe('an operation that moves more than the account lets one person do', () => {
  it('waits for another person, and is done once that one approves', async () => {
    await business.match('ann', 'bob', 10);
    const id = requiredId(await business.decide('win'));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 10 });
    expect((await wager()).outcome).toBe('undecided');
    const { preview, now, revision, made_by } = await read(id);
    expect(preview).toMatchObject({ moved: { credit: 10, debit: 10 }, users: { affected: 2, below_zero: 0 } });
    expect({ ...now, as_of: 0 }).toEqual({ ...preview, as_of: 0 });
    expect(made_by).toEqual({ operator_id: expect.any(Number), name: expect.any(String) });

    const { data, message } = ok(await approve(id, revision), 200);
    expect(message).toBe('Change request executed');
    expect(data).toMatchObject({ state: 'executed', decided_by: { operator_id: bea.id, name: 'Bea' }, made_by });
    expect(await business.moneyOf('ann')).toEqual({ balance: 1010, exposure: 0 });
    const all = await eventsOf('change_request.*,wager.decided');
    const types = all.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['change_request.created', 'wager.decided', 'change_request.executed']);
    expect(all.at(-1)).toMatchObject({
      actor: { operator_id: bea.id, name: 'Bea' },
      change_request: {
        id,
        operation: 'update_wager_outcome',
        made_by,
        decided_by: { operator_id: bea.id, name: 'Bea' },
      },
    });
    await expectBooksToBalance(api.database);
  });

  it('is done at once when it moves no more', async () => {
    await business.match('ann', 'bob', 5);
    ok(await business.decide('win'));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1005, exposure: 0 });
    expect(ok(await business.client.get('/change-requests'), 200).data).toEqual([]);
  });

  it('is refused as ever when the ledger refuses it', async () => {
    expect(await business.decide('win', 'nothing')).toMatchObject({ status: 404, body: { error: 'Wager not found' } });
    expect(await ask(decision('win', 'nothing'))).toMatchObject({ status: 404, body: { error: 'Wager not found' } });
    await business.match('ann', 'bob', 1);
    ok(await business.decide('win'));
    expect(await business.decide('loss')).toMatchObject({
      status: 400,
      body: { error: 'Wager has already been decided' },
    });
  });

  it('may be a bet, a correction by an admin, or a withdrawal', async () => {
    const admin = await registerAdmin(api.client, api.database);
    const bet = await business.match('ann', 'bob', 10);
    const overrideId = requiredId(await business.override(bet, 'loss'));
    ok(await approve(overrideId, (await read(overrideId)).revision), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 990, exposure: 0 });
    await correct(
      admin,
      'wagers/force-update-outcome',
      { account_id: accountId, wager_reference: 'match', outcome: 'win' },
      0,
    );
    await correct(
      admin,
      'bets/force-update-override-outcome',
      { account_id: accountId, bet_id: bet, override_outcome: 'win' },
      1,
    );
    await correct(admin, `bets/${bet}/set-inactive`, {}, 1);
    await correct(admin, `bets/${bet}/set-active`, {}, 1);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1010, exposure: 0 });
    const withdrawal = await business.client.post('/transactions/withdraw', { user_reference: 'ann', amount: 6 });
    const id = requiredId(withdrawal);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1010, exposure: 0 });
    expect((await read(id)).now.largest).toMatchObject([{ reference: 'ann', balance: 1010, balance_after: 1004 }]);
    ok(await approve(id, 0), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1004, exposure: 0 });
    ok(await business.client.post('/transactions/withdraw', { user_reference: 'ann', amount: 5 }));
    await expectBooksToBalance(api.database);
  });

  /** `needed`: whether it moves more than the bound. */
  async function correct(admin: Admin, path: string, body: object, needed: 0 | 1) {
    const answer = await admin.client.post(`/admin/${path}`, body);
    if (needed === 0) return void ok(answer, 200);
    const id = requiredId(answer);
    ok(await approve(id, (await read(id)).revision), 200);
  }

  it('must not stand in a batch', async () => {
    await business.match('ann', 'bob', 10);
    const decide = {
      operation_type: 'update_wager_outcome',
      operation_id: 'd',
      data: { reference: 'match', outcome: 'win' },
    };
    const make = {
      operation_type: 'make_bet_offer',
      operation_id: 'm',
      data: { wager_reference: 'other', requesting_odds: 2, requesting_amount: 1, requesting_user_reference: 'ann' },
    };
    const refused = await business.client.post('/bets/batch', { operations: [make, decide] });
    expect(refused).toMatchObject({ status: 400, body: { error: 'Approval required: send it alone' } });
    expect((await business.client.get('/wagers/other')).status).toBe(404);
    ok(await business.client.post('/bets/batch', { operations: [make] }));
    await business.match('ann', 'bob', 1, 2);
    const small = { ...decide, data: { reference: 'other', outcome: 'win' } };
    ok(await business.client.post('/bets/batch', { operations: [small] }));
  });

  it('answers a repeated key with the same request', async () => {
    await business.match('ann', 'bob', 10);
    const send = () =>
      business.client.post(
        '/bets/update-wager-outcome',
        { reference: 'match', outcome: 'win' },
        { headers: { 'Idempotency-Key': 'k' } },
      );
    const id = requiredId(await send());
    expect(requiredId(await send())).toBe(id);
    const approveWithKey = () =>
      bea.client.post(`/change-requests/${id}/approve`, { revision: 0 }, { headers: { 'Idempotency-Key': 'a' } });
    const first = ok(await approveWithKey(), 200);
    expect(ok(await approveWithKey(), 200)).toEqual(first);
    expect(await eventsOf()).toHaveLength(2);
  });
});

describe('a change request', () => {
  it('is never approved by its maker, also not after a change of role', async () => {
    await business.match('ann', 'bob', 10);
    const { id, revision } = await asked(decision());
    await api.database.query(`UPDATE operators SET role = 'approver' WHERE account_id = $1 AND id <> $2`, [
      accountId,
      bea.id,
    ]);
    const answer = await approve(id, revision, business.client);
    expect(answer).toMatchObject({ status: 403, body: { error: 'You cannot approve your own request' } });
    expect((await read(id)).state).toBe('pending');
    const forge = `UPDATE change_requests SET state = 'executed', decided_at = now(), decided_by = made_by WHERE id = $1`;
    await expect(api.database.query(forge, [id])).rejects.toThrow('change_requests_another_decides');
  });

  it('is made by machines, and approved by people', async () => {
    await business.match('ann', 'bob', 10);
    const { base64 } = await generateKeys({ client: bea.client });
    const machine = api.client.as({ base64 });
    const { id, revision, made_by } = ok(await ask(decision(), {}, machine)).data;
    expect(made_by).toEqual({ operator_id: bea.id, name: 'Bea' });
    expect(await approve(id, revision, machine)).toMatchObject({
      status: 403,
      body: { error: 'Only a person who has logged in may approve or reject' },
    });
    expect((await approve(id, revision)).status).toBe(403);
    ok(await approve(id, revision, business.client), 200);
  });

  it('is approved by roles that may', async () => {
    await business.match('ann', 'bob', 10);
    const { id, revision } = await asked(decision());
    const people = await Promise.all(
      (['viewer', 'trader', 'settler', 'approver'] as const).map((role) =>
        addPerson(api.database, api.client, { accountId, role }),
      ),
    );
    const [viewer, trader, settler, approver] = people.map(({ client }) => client) as [
      TestClient,
      TestClient,
      TestClient,
      TestClient,
    ];
    for (const client of [viewer, trader, settler]) expect((await approve(id, revision, client)).status).toBe(403);
    expect((await ask(decision(), {}, trader)).status).toBe(403);
    expect((await ask(decision(), {}, approver)).status).toBe(403);
    ok(await approver.get(`/change-requests/${id}`), 200);
    ok(await approve(id, revision, approver), 200);
  });

  it('is not executed when what it moves has changed', async () => {
    await business.match('ann', 'bob', 10);
    const { id, revision } = await asked(decision());
    expect((await approve(id, revision + 1)).status).toBe(409);
    await business.match('ann', 'bob', 1);
    const refused = await approve(id, revision);
    expect(refused).toMatchObject({
      status: 409,
      body: { status: 409, error: 'The wager has changed', preview: { moved: { credit: 11, debit: 11 } } },
    });
    expect((await read(id)).state).toBe('pending');
    expect((await wager()).outcome).toBe('undecided');
  });

  it('is not executed after a decision that did not need it', async () => {
    await business.match('ann', 'bob', 3);
    const { id, revision } = await asked(decision());
    ok(await business.decide('loss'));
    expect(await approve(id, revision)).toMatchObject({ status: 409, body: { error: 'The wager has changed' } });
    expect(await business.moneyOf('ann')).toEqual({ balance: 997, exposure: 0 });
  });

  it('is one of its target', async () => {
    await business.match('ann', 'bob', 10);
    const { id } = await asked(decision());
    const again = await ask(decision('loss'));
    expect(again).toMatchObject({ status: 409, body: { change_request: { id, state: 'pending' } } });
    expect((await business.decide('win')).status).toBe(409);
  });

  it('ends once', async () => {
    await business.match('ann', 'bob', 10);
    const { id, revision } = await asked(decision());
    const reject = () => bea.client.post(`/change-requests/${id}/reject`, { reason: 'Still running, surely' });
    expect((await business.client.post(`/change-requests/${id}/reject`, { reason: 'I was mistaken' })).status).toBe(
      403,
    );
    expect(ok(await reject(), 200).data).toMatchObject({ state: 'rejected', decision_reason: 'Still running, surely' });
    for (const late of [await reject(), await approve(id, revision)])
      expect(late).toMatchObject({ status: 409, body: { error: 'The change request is decided' } });
    const second = (await asked(decision())).id;
    expect((await bea.client.post(`/change-requests/${second}/withdraw`)).status).toBe(403);
    expect(ok(await business.client.post(`/change-requests/${second}/withdraw`), 200).data.state).toBe('withdrawn');
    expect((await business.client.post(`/change-requests/${second}/withdraw`)).status).toBe(409);
    const third = (await asked(decision())).id;
    await api.database.query('UPDATE change_requests SET expires_at = now() WHERE id = $1', [third]);
    expect(await approve(third, revision)).toMatchObject({
      status: 409,
      body: { error: 'The change request has expired' },
    });
    const listed = ok(await business.client.get('/change-requests?state=rejected'), 200).data;
    expect(listed.map((each: { id: number }) => each.id)).toEqual([id]);
    await expect(
      api.database.query('UPDATE change_requests SET reason = $1 WHERE id = $2', [REASON, id]),
    ).rejects.toThrow();
  });

  it('may suspend its wager, and resumes it unless somebody else has suspended it', async () => {
    await business.match('ann', 'bob', 10);
    ok(await business.make('ann', 3));
    const first = await asked(decision(), { suspend: true });
    expect([first.suspended, await wager()]).toMatchObject([true, { status: 'suspended', revision: first.revision }]);
    ok(await business.client.post(`/change-requests/${first.id}/withdraw`), 200);
    expect((await wager()).status).toBe('open');
    const second = await asked(decision(), { suspend: true });
    ok(await business.client.post('/wagers/match/resume'), 200);
    ok(await business.client.post('/wagers/match/suspend', { reason: 'Goal' }), 200);
    expect((await approve(second.id, second.revision)).status).toBe(409);
    ok(await business.client.post(`/change-requests/${second.id}/withdraw`), 200);
    expect(await wager()).toMatchObject({ status: 'suspended', status_reason: 'Goal' });
    ok(await business.client.post('/wagers/match/resume'), 200);
    const third = await asked(decision(), { suspend: true });
    ok(await business.client.post('/wagers/match/suspend', {}), 200);
    ok(await business.client.post(`/change-requests/${third.id}/withdraw`), 200);
    expect(await wager()).toMatchObject({ status: 'suspended', status_reason: null, revision: third.revision });
    ok(await business.client.post('/wagers/match/resume'), 200);
    const fourth = await asked(decision(), { suspend: true });
    ok(await business.client.post('/wagers/match/suspend', {}), 200);
    ok(await business.cancel('ann', { cancel_all: true }));
    ok(await approve(fourth.id, fourth.revision), 200);
    expect((await wager()).outcome).toBe('win');
  });

  it('fails when the money of an approved withdrawal is gone', async () => {
    const { id } = await asked({ type: 'withdraw_user', user_reference: 'ann', amount: 900 });
    ok(await business.make('ann', 200));
    const { data, message } = ok(await approve(id, 0), 200);
    expect(message).toBe('Change request failed');
    expect(data).toMatchObject({
      state: 'failed',
      failure: 'Insufficient balance: withdrawal would cause negative effective balance',
    });
    expect((await eventsOf()).at(-1).type).toBe('change_request.failed');
    await expectBooksToBalance(api.database);
  });

  it.each([
    [{ operation: decision(), reason: 'too short' }, 'reason must be longer than or equal to 10 characters'],
    [{ operation: decision(), reason: 'x'.repeat(501) }, 'reason must be shorter than or equal to 500 characters'],
    [{ operation: { type: 'make_bet_offer' }, reason: REASON }, 'must be one of'],
  ])('is refused: %j', async (body, fault) => {
    const answer = await business.client.post('/change-requests', body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body.message)).toContain(fault);
  });

  it('is of its account alone', async () => {
    await business.match('ann', 'bob', 10);
    const { id } = await asked(decision());
    const other = await openTestBusiness(api.client);
    for (const answer of [
      await other.client.get(`/change-requests/${id}`),
      await other.client.post(`/change-requests/${id}/approve`, { revision: 0 }),
      await other.client.post(`/change-requests/${id}/reject`, { reason: REASON }),
      await other.client.post(`/change-requests/${id}/withdraw`),
    ])
      expect(answer.status).toBe(404);
    expect(ok(await other.client.get('/change-requests'), 200).data).toEqual([]);
  });
});

describe('the preferences', () => {
  const change = (body: object) => business.client.patch('/auth/account/preferences', body);

  it('take two people who may approve', async () => {
    const alone = await openTestBusiness(api.client);
    const answer = await alone.client.patch('/auth/account/preferences', { approvals: approvals() });
    expect(answer).toMatchObject({ status: 400, body: { error: 'Approvals need two active people who may approve' } });
  });

  it('are tightened by one person, and loosened by two', async () => {
    ok(await change({ approvals: approvals({ above: 1 }) }), 200);
    expect(await change({ approvals: null, confirm_keys: true })).toMatchObject({ status: 400 });
    const id = requiredId(await change({ approvals: null }));
    expect(ok(await change({ confirm_keys: true }), 200).data.approvals).toEqual(approvals({ above: 1 }));
    expect((await change({ approvals: approvals({ above: 2 }) })).status).toBe(409);
    expect((await approve(id, 0, business.client)).status).toBe(403);
    expect(ok(await approve(id, 0), 200).data.state).toBe('executed');
    expect(ok(await business.client.get('/auth/account/preferences'), 200).data.approvals).toBeUndefined();
    await business.match('ann', 'bob', 10);
    ok(await business.decide('win'));
    await expectBooksToBalance(api.database);
  });

  it('keep two people who may approve', async () => {
    const needed = { status: 409, body: { error: 'Two people are needed while approvals are on' } };
    const path = `/operators/${bea.id}`;
    expect(await business.client.delete(path)).toMatchObject(needed);
    for (const lost of [{ role: 'settler' }, { state: 'suspended' }])
      expect(await business.client.patch(path, lost)).toMatchObject(needed);
    ok(await business.client.patch(path, { role: 'approver' }), 200);
    await addPerson(api.database, api.client, { accountId, role: 'approver' });
    ok(await business.client.delete(path), 200);
  });

  it('are not switched off by an admin', async () => {
    const admin = await registerAdmin(api.client, api.database);
    ok(
      await admin.client.patch(`/admin/accounts/${accountId}`, { preferences: { approvals: approvals({ above: 9 }) } }),
      200,
    );
    expect(ok(await business.client.get('/auth/account/preferences'), 200).data.approvals).toEqual(approvals());
  });

  it.each([
    [{ ...approvals(), kinds: ['make_bet_offer'] }],
    [{ ...approvals(), kinds: [] }],
    [{ ...approvals(), above: -1 }],
    [{ ...approvals(), expires_in: 1 }],
    [{ ...approvals(), more: true }],
  ])('refuse %j', async (wrong) => {
    expect((await change({ approvals: wrong })).status).toBe(400);
  });
});
