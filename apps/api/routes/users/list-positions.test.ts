import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { acceptance, offer, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let business: TestBusiness;
let ann: number;
let bob: number;

afterEach(() => expectBooksToBalance(api.database));

beforeEach(async () => {
  business = await openTestBusiness(api.client);
  ann = await business.user('ann');
  bob = await business.user('bob');
});

const positions = async (userId: number, query = '') =>
  ok(await business.client.get(`/account/user/${userId}/positions${query}`), 200);

async function match(wager_reference: string, amount: number, odds: number) {
  const { bet_id } = ok(
    await business.client.post('/bets/make-offer', offer('ann', amount, odds, { wager_reference })),
  ).data;
  ok(await business.client.post('/bets/accept-offer', acceptance('bob', amount, { bet_id })));
}

describe('the positions of a user', () => {
  it('show what its exposure is made of, on either side', async () => {
    await match('one', 10, 3);
    ok(await business.make('ann', 5, 2, { wager_reference: 'one' }));
    await match('two', 7.5, 1.2);
    const own = await positions(ann);
    expect(own).toEqual({
      data: [
        { wager_id: expect.any(Number), wager_reference: 'one', win: 20, loss: -10, offered: 5, exposure: 15 },
        { wager_id: expect.any(Number), wager_reference: 'two', win: 1.5, loss: -7.5, offered: 0, exposure: 7.5 },
      ],
      page: 1,
      per_page: 20,
      total: 2,
      from: 1,
      to: 2,
      last_page: 1,
      total_exposure: 22.5,
    });
    const other = await positions(bob);
    expect(other.data.map(({ win, loss, exposure }: Record<string, number>) => [win, loss, exposure])).toEqual([
      [-20, 10, 20],
      [-1.5, 7.5, 1.5],
    ]);
    expect([own.total_exposure, other.total_exposure]).toEqual([
      (await business.moneyOf('ann')).exposure,
      (await business.moneyOf('bob')).exposure,
    ]);
  });

  it('leave out what has come to nothing', async () => {
    await match('one', 10, 3);
    ok(await business.make('ann', 5));
    ok(await business.cancel('ann', { cancel_all: true }));
    expect((await positions(ann)).data).toHaveLength(1);
    ok(await business.decide('win', 'one'));
    const nothing = { data: [], total: 0, from: null, to: null, last_page: 1, total_exposure: 0 };
    expect(await positions(ann)).toMatchObject(nothing);
    const cat = await business.user('cat');
    expect(await positions(cat)).toMatchObject(nothing);
  });

  it('show a hedge that costs nothing', async () => {
    ok(await business.make('ann', 10));
    ok(await business.accept('bob', 10));
    ok(await business.make('bob', 10, 2.5));
    ok(await business.accept('ann', 10));
    const { data, total_exposure } = await positions(bob);
    expect(data).toMatchObject([{ win: 5, loss: 0, offered: 0, exposure: 0 }]);
    expect(total_exposure).toBe(0);
  });

  it('come in pages by wager, with the exposure of all of them', async () => {
    for (let wager = 1; wager <= 5; wager += 1) await match(`w${wager}`, wager, 2);
    const all = await positions(ann);
    expect(all.data.map(({ wager_reference }: { wager_reference: string }) => wager_reference)).toEqual([
      'w1',
      'w2',
      'w3',
      'w4',
      'w5',
    ]);
    const second = await positions(ann, '?per_page=2&page=2');
    expect(second).toMatchObject({ from: 3, to: 4, total: 5, last_page: 3, total_exposure: 15 });
    expect(second.data).toEqual(all.data.slice(2, 4));
    expect(await positions(ann, '?page=9')).toMatchObject({ data: [], from: null, total: 5, total_exposure: 15 });
  });

  it('belong to the account, and to admins who name it', async () => {
    await match('one', 10, 3);
    const unknown = { status: 404, error: 'User not found' };
    const path = `/account/user/${ann}/positions`;
    const { id } = (await business.client.get('/auth/account/me')).body.data;
    const stranger = (await openTestBusiness(api.client)).client;
    const admin = (await registerAdmin(api.client, api.database)).client;
    for (const [client, asked] of [
      [stranger, path],
      [stranger, `${path}?account_id=${id}`],
      [business.client, `${path}?account_id=999999`],
      [business.client, '/account/user/999999/positions'],
      [admin, path],
    ] as const) {
      const answer = await client.get(asked);
      expect([asked, answer.status, answer.body]).toEqual([asked, 404, unknown]);
    }
    expect((await admin.get(`${path}?account_id=${id}`)).body).toEqual(await positions(ann));
    const faults = await business.client.get('/account/user/x/positions');
    expect([faults.status, faults.body.message]).toEqual([400, ['userId must be an integer number']]);
  });
});
