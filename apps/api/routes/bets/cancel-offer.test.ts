import { describe, expect, it } from '@jest/globals';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api);

describe('cancelling', () => {
  it('cancels everything, or an amount oldest first, with a new bet for the rest', async () => {
    await business.user('ann');
    const first = ok(await business.make('ann', 10)).data.bet_id;
    ok(await business.make('ann', 10, 3));
    const partial = ok(await business.cancel('ann', { cancel_amount: 15 }));
    expect(partial.data).toEqual([
      { bet_id: first, wager_reference: 'match', wager_id: expect.any(Number) },
      {
        bet_id: expect.any(Number),
        wager_reference: 'match',
        wager_id: expect.any(Number),
        note: expect.stringContaining('5'),
      },
    ]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 5 });
    expect(ok(await business.cancel('ann', { cancel_all: true })).data).toHaveLength(1);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect((await business.cancel('ann', { cancel_all: true })).body).toEqual({
      status: 400,
      error: 'No cancelable bets found',
    });
  });

  it.each([
    [{ wager_references: null, cancel_all: true }, 'wager_references or bet_id must be defined'],
    [{}, 'cancel_amount or cancel_all must be defined'],
    [{ cancel_all: true, requesting_user_reference: null }, 'must be defined'],
    [{ cancel_all: true, minimum_odds: 5 }, 'No cancelable bets found'],
  ])('refuses %j', async (more, text) => {
    await business.user('ann');
    ok(await business.make('ann', 10));
    const answer = await business.cancel('ann', more);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(text);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 10 });
  });

  it('races with acceptances: what is matched and what is canceled add up', async () => {
    await business.user('ann');
    await business.user('bob');
    const bets = await Promise.all(Array.from({ length: 20 }, () => business.make('ann', 10)));
    const answers = await Promise.all(
      bets.flatMap(({ body }) => [
        business.cancel('ann', { bet_id: body.data.bet_id, cancel_all: true }),
        business.accept('bob', 10, { bet_id: body.data.bet_id }),
      ]),
    );
    const wins = answers.filter(({ status }) => status === 201).length;
    expect(wins).toBe(20);
    const accepted = answers.filter(({ status }, index) => index % 2 === 1 && status === 201).length;
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: accepted * 10 });
    expect(await business.moneyOf('bob')).toEqual({ balance: 1000, exposure: accepted * 10 });
  });
});
