import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { ok, registerAdmin } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });

const balances = async () => [(await business.moneyOf('ann')).balance, (await business.moneyOf('bob')).balance];
const exposures = async () => [(await business.moneyOf('ann')).exposure, (await business.moneyOf('bob')).exposure];

describe('overriding the outcome of a bet', () => {
  it('settles at once, and holds against the decision of the wager', async () => {
    const bet = await business.match('ann', 'bob', 100, 3);
    const other = await business.match('ann', 'bob', 10);
    const answer = await business.override(bet, 'half-win');
    expect([answer.status, answer.body]).toEqual([200, { message: 'Bet outcome overridden' }]);
    expect([await balances(), await exposures()]).toEqual([
      [1100, 900],
      [10, 10],
    ]);
    expect(await business.bet(bet)).toMatchObject({
      offer_status: 'accepted',
      override_outcome: 'half-win',
      wager: { outcome: 'undecided' },
    });
    ok(await business.decide('loss'));
    expect(await balances()).toEqual([1090, 910]);
    const { bet_trails } = await business.bet(bet);
    expect(bet_trails.map(({ description }: { description: string }) => description)).toEqual([
      'Offer made',
      'Offer accepted',
      'Outcome overridden: half-win',
    ]);
    expect((await business.bet(other)).bet_trails).toHaveLength(3);
  });

  it('needs an accepted, active bet of the account', async () => {
    const notAccepted = { status: 400, error: "bet offer status must be 'accepted'" };
    const open = ok(await business.make('ann', 10)).data.bet_id;
    expect((await business.override(open, 'win')).body).toEqual(notAccepted);
    ok(await business.cancel('ann', { cancel_all: true }));
    expect((await business.override(open, 'win')).body).toEqual(notAccepted);
    const bet = await business.match('ann', 'bob', 10);
    const unknown = { status: 404, error: 'Bet not found' };
    expect((await business.override(999_999_999, 'win')).body).toEqual(unknown);
    const stranger = (await registerAndLogIn(api.client)).client;
    const foreign = await stranger.post('/bets/override-outcome', { bet_id: bet, override_outcome: 'win' });
    expect([foreign.status, foreign.body]).toEqual([404, unknown]);
    const admin = await registerAdmin(api.client, api.database);
    ok(await admin.client.post(`/admin/bets/${bet}/set-inactive`), 200);
    expect((await business.override(bet, 'win')).body).toEqual({ status: 400, error: 'bet is not active' });
    ok(await business.make('ann', 10));
    ok(await business.decide('win'));
    expect(await balances()).toEqual([1000, 1000]);
  });

  it.each([
    [{ override_outcome: 'win' }, ['bet_id should not be empty']],
    [{ bet_id: 1 }, ['override_outcome should not be empty']],
    [{ bet_id: 1, override_outcome: null }, ['override_outcome should not be empty']],
    [{ bet_id: '1', override_outcome: 'win' }, ['bet_id must be an integer number']],
    [
      { bet_id: 0, override_outcome: 'lost', why: 'x' },
      [
        'bet_id must not be less than 1',
        'override_outcome must be one of the following values: undecided, win, loss, push, half-win, half-loss, void',
        'property why should not exist',
      ],
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await business.client.post('/bets/override-outcome', body);
    expect([answer.status, answer.body]).toEqual([400, { message, error: 'Bad Request', statusCode: 400 }]);
  });
});
