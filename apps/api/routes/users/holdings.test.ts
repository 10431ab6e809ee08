import { beforeAll, describe, expect, it } from '@jest/globals';
import { offer, ok, openTestBusiness } from '#testing/test-business.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
const business = withBusiness(api, { ann: 1000 });

const OFFERS = 26;

beforeAll(async () => {
  for (let count = 0; count < OFFERS; count += 1) {
    ok(await business.client.post('/bets/make-offer', { ...offer('ann', 1), wager_reference: `match ${count}` }));
  }
});

const read = (query: Record<string, string>, client = business.client) =>
  client.get(`/account/user/ann/statement?${new URLSearchParams(query)}`);

describe('a statement with holdings', () => {
  it('has the user, its positions and its offers, which agree', async () => {
    const { closing_balance, holdings } = ok(await read({ include: 'holdings' }), 200);
    const { user, positions, open_offers } = holdings;
    expect(user).toEqual(ok(await business.client.get('/account/user/ann/reference'), 200).data);
    expect(user.balance).toBe(closing_balance);
    expect(positions.data).toHaveLength(25);
    expect(open_offers.data).toHaveLength(25);
    const exposure = positions.data.reduce((sum: number, position: { exposure: number }) => sum + position.exposure, 0);
    expect(exposure + 1).toBe(user.exposure);
  });

  it('has other pages of both lists by their cursors', async () => {
    const { positions, open_offers } = ok(await read({ include: 'holdings' }), 200).holdings;
    const cursors = { positions_cursor: positions.next, offers_cursor: open_offers.next };
    const { holdings } = ok(await read({ include: 'holdings', ...cursors }), 200);
    expect(holdings.positions.data).toMatchObject([{ wager_reference: `match ${OFFERS - 1}` }]);
    expect(holdings.open_offers.data).toMatchObject([{ wager_reference: `match ${OFFERS - 1}` }]);
    expect(holdings.open_offers.next).toBeNull();
    expect((await read({ include: 'holdings', offers_cursor: positions.next })).status).toBe(400);
  });

  it('has none unless they are asked for, and none as CSV', async () => {
    expect(ok(await read({}), 200)).not.toHaveProperty('holdings');
    expect((await read({ include: 'holdings', format: 'csv' })).body).toMatchObject({
      message: ['include must not be used with format=csv'],
    });
    const { open_offers } = ok(await read({ include: 'holdings' }), 200).holdings;
    expect((await read({ offers_cursor: open_offers.next })).body).toMatchObject({
      message: ['include must be holdings for a cursor of its lists'],
    });
  });

  it('is that of the own account', async () => {
    const other = await openTestBusiness(api.client);
    expect((await read({ include: 'holdings' }, other.client)).status).toBe(404);
  });
});
