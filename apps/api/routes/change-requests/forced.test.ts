import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { Answer } from '#testing/client.js';
import { type AddedPerson, addPerson } from '#testing/people.js';
import { type Admin, ok, registerAdmin } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// With `REQUIRE_APPROVAL=force`.

const api = withTestApi({ settings: { REQUIRE_APPROVAL: 'force' } });
const business = withFreshBusiness(api);

let admin: Admin;
let other: Admin;
let accountId: number;
let bea: AddedPerson;
let bet: number;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
  other = await registerAdmin(api.client, api.database);
});

beforeEach(async () => {
  accountId = business.account.id;
  bea = await addPerson(api.database, api.client, { accountId });
  await business.user('ann');
  await business.user('bob');
  bet = await business.match('ann', 'bob', 10);
});

const force = (outcome: string) =>
  admin.client.post('/admin/wagers/force-update-outcome', { account_id: accountId, wager_reference: 'match', outcome });
const idOf = (answer: Answer): number => ok(answer, 202).change_request.id;
const approve = ({ client }: Pick<Admin, 'client'>, id: number) =>
  client.post(`/change-requests/${id}/approve`, { revision: 0 });

describe('what an admin forces', () => {
  it('needs another admin', async () => {
    const id = idOf(await force('win'));
    expect(ok(await other.client.get(`/change-requests?account_id=${accountId}`), 200).data).toMatchObject([
      { id, approval_of: 'admin' },
    ]);
    expect((await approve(admin, id)).status).toBe(403);
    const refused = await approve(bea, id);
    expect(refused).toMatchObject({ status: 403, body: { error: expect.stringContaining('the other side') } });
    expect(ok(await approve(other, id), 200).data.state).toBe('executed');
    expect(await business.moneyOf('ann')).toEqual({ balance: 1010, exposure: 0 });
    const { bet_trails } = await business.bet(bet);
    expect(JSON.stringify(bet_trails)).toContain(admin.email);
  });

  it('needs both where the account wants to approve it too', async () => {
    const kinds = ['force_update_outcome'];
    ok(
      await business.client.patch('/auth/account/preferences', { approvals: { kinds, above: 5, expires_in: 60 } }),
      200,
    );
    const first = idOf(await force('win'));
    expect(ok(await approve(bea, first), 200)).toMatchObject({
      message: 'Change request approved',
      data: { state: 'pending', approval_of: 'both', approved_by: { operator_id: bea.id }, decided_by: null },
    });
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 10 });
    expect((await approve(bea, first)).status).toBe(403);
    expect((await approve({ client: business.client }, first)).status).toBe(403);
    expect(ok(await approve(other, first), 200).data.state).toBe('executed');
    expect(await business.moneyOf('ann')).toEqual({ balance: 1010, exposure: 0 });
    const types = ok(await business.client.get('/events?types=change_request.*'), 200).data.map(
      ({ type }: { type: string }) => type,
    );
    expect(types).toEqual(['change_request.created', 'change_request.approved', 'change_request.executed']);
    await expectBooksToBalance(api.database);
  });

  it('needs nobody else when it forces nothing', async () => {
    ok(await admin.client.post(`/admin/bets/${bet}/set-inactive`, {}), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
  });
});
