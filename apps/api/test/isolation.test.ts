import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { acceptance, offer, ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api);

// tenants.test.ts tries every field of every route; these are the cases that matter most, written out.

describe('another account’s', () => {
  it('users, wagers and bets do not exist', async () => {
    const ann = await business.user('ann');
    const { bet_id } = ok(await business.make('ann', 10)).data;
    const other = (await registerAndLogIn(api.client)).client;
    ok(await other.post('/account/user', { name: 'x', reference: 'theirs' }));
    ok(await other.post('/transactions/fund-user', { user_reference: 'theirs', amount: 100 }));
    expect((await other.post('/transactions/fund-user', { user_id: ann, amount: 1 })).body).toEqual({
      status: 404,
      error: 'User not found',
    });
    expect((await other.post('/bets/make-offer', { ...offer('ann', 1), requesting_user_id: ann })).status).toBe(404);
    expect((await other.post('/bets/make-offer', offer('theirs', 1, 2, { allowed_acceptor_ids: [ann] }))).status).toBe(
      404,
    );
    expect((await other.post('/bets/accept-offer', acceptance('theirs', 1, { bet_id }))).body).toEqual({
      status: 404,
      error: 'Bet not found',
    });
    expect((await other.post('/bets/accept-offer', acceptance('theirs', 1))).body).toEqual({
      status: 400,
      error: 'No matching bet offers found',
    });
    expect(
      (await other.post('/bets/cancel-offer', { requesting_user_reference: 'theirs', bet_id, cancel_all: true })).body
        .error,
    ).toBe('Bet not found');
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 10 });
  });
});
