import { beforeEach, describe, expect, it } from '@jest/globals';
import { ok, openTestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true, hasWorker: true });
const business = withFreshBusiness(api);
let ann: number;

beforeEach(async () => {
  ann = await business.user('ann');
  await business.user('bob');
});

const arm = (body: object) => business.client.post('/bets/cancel-after', body);
/** As if the time had come. */
const letFire = () =>
  api.database.query(`UPDATE cancel_timers SET fires_at = now() WHERE fires_at IS NOT NULL AND account_id = $1`, [
    business.account.id,
  ]);
const exposureOf = async (user: string) => (await business.moneyOf(user)).exposure;

describe('a timer that cancels offers', () => {
  it('fires once for all offers of the account, and later offers stay', async () => {
    ok(await business.make('ann', 10));
    ok(await business.make('bob', 20, 2, { wager_reference: 'other' }));
    const { data } = ok(await arm({ timeout_s: 10 }), 200);
    expect(Date.parse(data.fires_at) - Date.now()).toBeGreaterThan(5_000);
    await letFire();
    await waitFor(async () => (await exposureOf('ann')) === 0 && (await exposureOf('bob')) === 0);
    ok(await business.make('ann', 30));
    const events = ok(await business.client.get('/events?types=offer.canceled'), 200).data;
    expect(events.map(({ reason }: { reason: string }) => reason)).toEqual(['timer', 'timer']);
    const [timer] = await api.database.query(
      `SELECT fires_at, fired_at < now() AS fired FROM cancel_timers WHERE account_id = (SELECT account_id FROM users WHERE id = ${ann})`,
    );
    expect(timer).toEqual({ fires_at: null, fired: true });
    expect(await exposureOf('ann')).toBe(30);
  });

  it('of a user leaves the offers of others', async () => {
    ok(await business.make('ann', 10));
    ok(await business.make('bob', 20));
    ok(await arm({ timeout_s: 300, user_reference: 'ann' }), 200);
    await letFire();
    await waitFor(async () => (await exposureOf('ann')) === 0);
    expect(await exposureOf('bob')).toBe(20);
  });

  it('is moved by another call, of which one row is left, and disarmed by 0', async () => {
    const first = ok(await arm({ timeout_s: 10 }), 200).data.fires_at;
    const second = ok(await arm({ timeout_s: 300 }), 200).data.fires_at;
    expect(Date.parse(second)).toBeGreaterThan(Date.parse(first) + 200_000);
    expect(ok(await arm({ timeout_s: 0 }), 200).data).toEqual({ fires_at: null });
    const timers = `SELECT fires_at FROM cancel_timers WHERE account_id = (SELECT account_id FROM users WHERE id = ${ann})`;
    expect(await api.database.query(timers)).toEqual([{ fires_at: null }]);
  });

  it.each([9, 301, 10.5, '60'])('refuses %j seconds', async (timeout_s) => {
    const answer = await arm({ timeout_s });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringContaining('timeout_s')]);
  });

  it('refuses users of other accounts', async () => {
    const other = await openTestBusiness(api.client);
    const id = await other.user('eve');
    for (const user of [{ user_id: id }, { user_reference: 'eve' }]) {
      expect((await arm({ timeout_s: 60, ...user })).body).toEqual({ status: 404, error: 'User not found' });
    }
  });
});
