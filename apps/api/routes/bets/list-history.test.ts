import { expect, it } from '@jest/globals';
import { ok, openTestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();

it('of the history keeps the bets of at least a stake: of a match what was matched', async () => {
  const business = await openTestBusiness(api.client, { ann: 1_000, bob: 1_000 });
  const matched = await business.match('ann', 'bob', 20);
  const offered = ok(await business.make('ann', 50, 3)).data.bet_id;
  ok(await business.accept('bob', 10, { bet_id: offered }));
  const least = async (amount: string) => {
    const { data, total } = ok(await business.client.get(`/bets/history?minimum_amount=${amount}`), 200);
    const ids = data.map(({ id }: { id: number }) => id);
    expect(total).toBe(ids.length);
    return new Set(ids);
  };
  const rest = offered + 1;
  expect(await least('0')).toEqual(new Set([matched, offered, rest]));
  expect(await least('10.000001')).toEqual(new Set([matched, rest]));
  expect(await least('40')).toEqual(new Set([rest]));
  expect(await least('40.000001')).toEqual(new Set());
  for (const wrong of ['-1', 'much']) {
    expect((await business.client.get(`/bets/history?minimum_amount=${wrong}`)).status).toBe(400);
  }
});
