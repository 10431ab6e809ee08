import { describe, expect, it } from '@jest/globals';
import { acceptance, offer, ok, openTestBusiness } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });

const META = { slip: 'A-17', legs: [1, { home: null }], '': true };

const get = async (path: string) => ok(await business.client.get(path), 200);
const make = async (meta: object | undefined, more: object = {}): Promise<number> =>
  ok(await business.make('ann', 10, 2, { ...(meta && { meta }), ...more })).data.bet_id;
const idsOf = async (path: string): Promise<number[]> => (await get(path)).data.map(({ id }: { id: number }) => id);

/** By bet, wherever bets are shown. */
async function shownMetas() {
  const [open, history, events] = [
    (await get('/bets/open-bets')).data,
    (await get('/bets/history')).data,
    (await get('/events?types=offer.*')).data.map(({ bet }: { bet: unknown }) => bet),
  ];
  const read = await Promise.all(history.map(async ({ id }: { id: number }) => (await get(`/bets/${id}`)).data));
  return [open, history, events, read].map((bets) => bets.map(({ meta }: { meta?: unknown }) => meta));
}

describe('the meta of a bet', () => {
  it('comes back as it was given, in every answer and event', async () => {
    await make(META);
    for (const shown of await shownMetas()) expect(shown).toEqual([META]);
  });

  it('is absent from a bet that was given none', async () => {
    const id = await make(undefined);
    const [event] = (await get('/events?types=offer.made')).data;
    for (const bet of [(await get(`/bets/${id}`)).data, ...(await get('/bets/open-bets')).data, event.bet]) {
      expect(bet).not.toHaveProperty('meta');
    }
  });

  it.each([
    ['a match', () => business.accept('bob', 4)],
    ['a cancel', () => business.cancel('ann', { cancel_amount: 4 })],
  ])('is kept by the rests of %s, and of the next one', async (_part, split) => {
    await make(META);
    ok(await split());
    ok(await split());
    const [open, history, events] = await shownMetas();
    expect(open).toEqual([META]);
    expect(history).toEqual([META, META, META]);
    expect(new Set(events?.map((meta: unknown) => JSON.stringify(meta)))).toHaveProperty('size', 1);
  });

  it('is kept by the rest of an offer that is made and matched in one batch', async () => {
    const operations = [
      { operation_type: 'make_bet_offer', operation_id: '1', data: offer('ann', 10, 2, { meta: META }) },
      { operation_type: 'accept_bet_offer', operation_id: '2', data: acceptance('bob', 4) },
      { operation_type: 'make_bet_offer', operation_id: '3', data: offer('ann', 1, 3) },
      { operation_type: 'accept_bet_offer', operation_id: '4', data: acceptance('bob', 6.5) },
    ];
    ok(await business.client.post('/bets/batch', { operations }));
    const history = (await get('/bets/history')).data;
    expect(
      history.map(({ requesting_amount, meta }: { requesting_amount: number; meta?: object }) => [
        requesting_amount,
        meta,
      ]),
    ).toEqual([
      [10, META],
      [6, META],
      [1, undefined],
      [0.5, undefined],
    ]);
  });

  it('filters lists of bets by its texts', async () => {
    const web = await make({ channel: 'web', slip: 'A' });
    const app = await make({ channel: 'app', slip: 'A', number: 1, deep: { slip: 'A' } });
    await make({ deep: { channel: 'web' }, slip: ['A'] });
    await make(undefined);
    for (const list of ['/bets/open-bets', '/bets/history']) {
      expect(await idsOf(`${list}?meta_slip=A`)).toEqual([web, app]);
      expect(await idsOf(`${list}?meta_slip=A&meta_channel=web`)).toEqual([web]);
      expect(await idsOf(`${list}?meta_number=1`)).toEqual([]);
      expect(await idsOf(`${list}?meta_slip=A&sort_direction=desc&wager_references=match`)).toEqual([app, web]);
      const page = await get(`${list}?meta_slip=A&per_page=1`);
      expect(page).toMatchObject({ total: 2, data: [{ id: web }] });
      expect(await idsOf(`${list}?meta_slip=A&per_page=1&cursor=${page.next}`)).toEqual([app]);
    }
    expect(await idsOf('/bets/history?meta_slip=A&include_bet_trails=true')).toEqual([web, app]);
    expect((await get('/bets/open-bets?meta_slip=A')).total_requesting_amount).toBe(20);
    const other = await openTestBusiness(api.client);
    expect((await other.client.get('/bets/history?meta_slip=A')).body.data).toEqual([]);
  });

  it('filters by a text that most bets have', async () => {
    const id = await make({ channel: 'web' });
    await api.database.query(
      `INSERT INTO bets (account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place, meta)
       SELECT account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, 0, meta
         FROM bets CROSS JOIN generate_series(1, 5100) WHERE account_id = $1`,
      [business.account.id],
    );
    const page = await get('/bets/open-bets?meta_channel=web&sort_direction=desc');
    expect([page.total, page.data.length, page.data.at(0).id > id]).toEqual([5_101, 20, true]);
    expect(await idsOf('/bets/open-bets?meta_channel=app')).toEqual([]);
    await api.database.query(
      `ALTER TABLE bets DISABLE TRIGGER USER; DELETE FROM bets
        WHERE account_id = ${business.account.id} AND queue_place = 0; ALTER TABLE bets ENABLE TRIGGER USER`,
    );
  });
});
