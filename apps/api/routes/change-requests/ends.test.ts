import { beforeEach, describe, expect, it } from '@jest/globals';
import { quotas } from '#platform/quotas/quotas.js';
import type { Answer } from '#testing/client.js';
import { countLockWaits } from '#testing/databases.js';
import { type AddedPerson, addPerson } from '#testing/people.js';
import { ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

// How requests end that suspend, that change nothing, and whose approver has just been removed.

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api);
const kinds = ['update_wager_outcome', 'override_bet_outcome'];
const REASON = 'The match has ended 2:1';
const decision = { type: 'update_wager_outcome', reference: 'match', outcome: 'win' };

let accountId: number;
let bea: AddedPerson;
let bet: number;

beforeEach(async () => {
  accountId = business.account.id;
  bea = await addPerson(api.database, api.client, { accountId });
  for (const name of ['ann', 'bob']) await business.user(name);
  bet = await business.match('ann', 'bob', 10);
  const approvals = { kinds, above: 5, expires_in: 3_600 };
  ok(await business.client.patch('/auth/account/preferences', { approvals }), 200);
});

const ask = (operation: object, more: object = {}) =>
  business.client.post('/change-requests', { operation, reason: REASON, ...more });
const approve = ({ id, revision }: { id: number; revision: number }): Promise<Answer> =>
  bea.client.post(`/change-requests/${id}/approve`, { revision });
const wager = async () => ok(await business.client.get('/wagers/match'), 200).data;
const approvalsNow = async () => ok(await business.client.get('/auth/account/preferences'), 200).data.approvals;

describe('a wager that a request has suspended', () => {
  it('takes offers again once an operation is done that does not decide it', async () => {
    const override = { type: 'override_bet_outcome', bet_id: bet, override_outcome: 'void' };
    const { data } = ok(await ask(override, { suspend: true }));
    expect((await wager()).status).toBe('suspended');
    expect(ok(await approve(data), 200).data.state).toBe('executed');
    expect(await wager()).toMatchObject({ status: 'open', outcome: 'undecided' });
    await business.match('ann', 'bob', 1);
  });

  it('takes them when its decision is taken back', async () => {
    ok(await business.make('ann', 1));
    const { data } = ok(await ask(decision, { suspend: true }));
    expect(ok(await approve(data), 200).data.state).toBe('executed');
    const admin = await registerAdmin(api.client, api.database);
    const forced = { account_id: accountId, wager_reference: 'match', outcome: 'undecided' };
    ok(await admin.client.post('/admin/wagers/force-update-outcome', forced), 200);
    expect(await wager()).toMatchObject({ status: 'open', outcome: 'undecided' });
  });
});

describe('a request that changes nothing', () => {
  it('is not made', async () => {
    const undecided = await ask({ ...decision, outcome: 'undecided' });
    expect(undecided).toMatchObject({
      status: 400,
      body: { message: ['operation.outcome must not be undecided: it would change nothing'] },
    });
    const same = await ask({ type: 'update_preferences', approvals: await approvalsNow() });
    expect(same).toMatchObject({
      status: 400,
      body: { message: ['operation.approvals must differ from the present value'] },
    });
    expect(ok(await business.client.get('/change-requests'), 200).data).toEqual([]);
  });

  it('fails when its value came meanwhile', async () => {
    const stricter = { kinds, above: 1, expires_in: 3_600 };
    const { data } = ok(await ask({ type: 'update_preferences', approvals: stricter }));
    ok(await business.client.patch('/auth/account/preferences', { approvals: stricter }), 200);
    expect(ok(await approve(data), 200).data).toMatchObject({ state: 'failed', failure: 'The value is this already' });
  });
});

describe('decisions that may need approval', () => {
  it('are bounded for an account while they wait, and others wait besides', async () => {
    const other = await openTestBusiness(api.client);
    await addPerson(api.database, api.client, { accountId: other.account.id });
    const approvals = { kinds, above: 5, expires_in: 3_600 };
    ok(await other.client.patch('/auth/account/preferences', { approvals }), 200);
    await withPostgresClient({ connectionString: api.database.url }, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM wagers WHERE account_id = $1 FOR UPDATE', [accountId]);
      const statuses: number[] = [];
      const decisions = Array.from({ length: quotas.approvals.account + 1 }, async () => {
        statuses.push((await business.decide('win')).status);
      });
      await waitFor(() => statuses.length === 1);
      expect(statuses).toEqual([429]);
      expect((await other.decide('win', 'nowhere')).status).toBe(404);
      await client.query('COMMIT');
      await Promise.all(decisions);
      expect(statuses.sort()).toEqual([202, ...Array(quotas.approvals.account - 1).fill(409), 429]);
    });
  });
});

describe('who is removed while the approval waits', () => {
  it.each([
    ['decides no wager', 'wagers', decision],
    ['changes no preferences', 'accounts', { type: 'update_preferences', approvals: null }],
  ])('%s', async (_does, table, operation) => {
    const { data } = ok(await ask(operation));
    const before = await approvalsNow();
    await withPostgresClient({ connectionString: api.database.url }, async (client) => {
      const column = table === 'accounts' ? 'id' : 'account_id';
      await client.query('BEGIN');
      await client.query(`SELECT FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [accountId]);
      const approving = approve(data);
      await waitFor(async () => (await countLockWaits(api.database)) === 1);
      await client.query(`UPDATE operators SET state = 'suspended' WHERE id = $1`, [bea.id]);
      await client.query('COMMIT');
      expect(await approving).toMatchObject({ status: 403 });
    });
    expect([(await wager()).outcome, await approvalsNow()]).toEqual(['undecided', before]);
    const [request] = ok(await business.client.get('/change-requests'), 200).data;
    expect(request.state).toBe('pending');
  });
});
