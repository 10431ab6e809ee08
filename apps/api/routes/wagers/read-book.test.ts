import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { registerAndLogIn } from '#testing/client.js';
import {
  type Admin,
  acceptance,
  offer,
  ok,
  openTestBusiness,
  registerAdmin,
  type TestBusiness,
} from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let admin: Admin;
let business: TestBusiness;
let ids: Record<'ann' | 'bob' | 'cat', number>;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
});

beforeEach(async () => {
  business = await openTestBusiness(api.client);
  ids = { ann: await business.user('ann'), bob: await business.user('bob'), cat: await business.user('cat') };
});

afterEach(() => expectBooksToBalance(api.database));

const book = async (query = '') => ok(await business.client.get(`/wagers/match/book${query}`), 200);

describe('the order book of a wager', () => {
  it('has the open offers by odds, the lowest first, and what was matched', async () => {
    const first = ok(await business.make('ann', 10, 2.5)).data.bet_id;
    ok(await business.make('bob', 5.5, 2.5));
    ok(await business.make('ann', 20, 1.8));
    ok(await business.make('bob', 1, 3));
    ok(await business.accept('cat', 8, { bet_id: first }));
    const last = (await business.bet(first)).bet_trails.at(-1);
    const shown = await book();
    expect(shown).toEqual({
      wager: 'match',
      status: 'undecided',
      as_of: expect.stringMatching(/Z$/),
      best_odds: 1.8,
      levels: [
        { odds: 1.8, amount: 20, offers: 1, oldest: expect.stringMatching(/Z$/) },
        { odds: 2.5, amount: 7.5, offers: 2, oldest: expect.stringMatching(/Z$/) },
        { odds: 3, amount: 1, offers: 1, oldest: expect.stringMatching(/Z$/) },
      ],
      open_amount: 28.5,
      open_offers: 4,
      matched_amount: 8,
      matched_bets: 1,
      last_matched: { odds: 2.5, amount: 8, at: last.created_at },
    });
    // The depth cuts the levels, never the totals.
    expect(await book('?depth=1')).toEqual({ ...shown, as_of: expect.any(String), levels: shown.levels.slice(0, 1) });
  });

  it('leaves out what a user may not accept, and its own offers', async () => {
    ok(await business.make('ann', 10, 2));
    ok(await business.make('bob', 4, 2, { allowed_acceptor_references: ['ann'] }));
    ok(await business.make('bob', 3, 3));
    const levelsFor = async (user: keyof typeof ids) => {
      const { levels, open_amount, open_offers } = await book(`?user_id=${ids[user]}`);
      return [
        levels.map(({ odds, amount }: { odds: number; amount: number }) => [odds, amount]),
        open_amount,
        open_offers,
      ];
    };
    expect(await levelsFor('ann')).toEqual([
      [
        [2, 4],
        [3, 3],
      ],
      7,
      2,
    ]);
    expect(await levelsFor('bob')).toEqual([[[2, 10]], 10, 1]);
    expect(await levelsFor('cat')).toEqual([
      [
        [2, 10],
        [3, 3],
      ],
      13,
      2,
    ]);
  });

  it('counts all matches: of a batch, of parts, and settled ones', async () => {
    const operations = [
      { operation_type: 'make_bet_offer', operation_id: 'a', data: offer('ann', 5) },
      { operation_type: 'accept_bet_offer', operation_id: 'b', data: acceptance('bob', 2) },
      { operation_type: 'accept_bet_offer', operation_id: 'c', data: acceptance('cat', 1) },
      { operation_type: 'make_bet_offer', operation_id: 'd', data: offer('bob', 9, 1.5) },
    ];
    ok(await business.client.post('/bets/batch', { operations }));
    expect(await book()).toMatchObject({ matched_bets: 2, matched_amount: 3, last_matched: { odds: 2, amount: 1 } });
    await business.match('ann', 'cat', 4, 3);
    ok(await business.decide('win'));
    expect(await book()).toMatchObject({
      status: 'settled',
      best_odds: null,
      levels: [],
      open_amount: 0,
      open_offers: 0,
      matched_bets: 3,
      matched_amount: 7,
      last_matched: { odds: 3, amount: 4 },
    });
  });

  it('has no match before the first one', async () => {
    ok(await business.make('ann', 10));
    expect(await book()).toMatchObject({ matched_amount: 0, matched_bets: 0, last_matched: null });
  });

  it('has none of the canceling offers', async () => {
    ok(await business.make('ann', 10, 2));
    ok(await business.make('bob', 1, 2));
    const [bet] = (await business.client.get('/bets/open-bets?per_page=1')).body.data;
    const range = { minimum_odds: null, maximum_odds: null, queue_place: bet.id, bet_id: bet.id };
    const named = [{ position: bet.id + 1, user_id: ids.ann, ...range }];
    const name = (cancels: object[] | null) =>
      api.database.query('UPDATE wagers SET pending_cancels = $1::jsonb WHERE id = $2', [
        cancels && JSON.stringify(cancels),
        bet.wager_id,
      ]);
    await name(named);
    expect(await book()).toMatchObject({ open_amount: 1, open_offers: 1, levels: [{ odds: 2, amount: 1 }] });
    await name(null);
  });

  it('is refused for bad input, an unknown wager and an unknown user', async () => {
    ok(await business.make('ann', 10));
    const { status, body } = await business.client.get('/wagers/match/book?depth=0&user_id=x');
    expect([status, body.message]).toEqual([
      400,
      ['depth must not be less than 1', 'user_id must be an integer number'],
    ]);
    expect((await business.client.get('/wagers/match/book?depth=101')).status).toBe(400);
    const unknown = await business.client.get('/wagers/nobody/book');
    expect([unknown.status, unknown.body]).toEqual([404, { status: 404, error: 'Wager not found' }]);
    const stranger = await registerAndLogIn(api.client);
    expect((await stranger.client.get('/wagers/match/book')).body).toEqual(unknown.body);
    expect((await business.client.get('/wagers/match/book?user_id=999999999')).body.error).toBe('User not found');
  });

  it('of another account is for admins', async () => {
    ok(await business.make('ann', 10));
    const { id } = ok(await business.client.get('/auth/account/me'), 200).data;
    expect(ok(await admin.client.get(`/wagers/match/book?account_id=${id}`), 200).open_offers).toBe(1);
    expect((await business.client.get(`/wagers/match/book?account_id=${admin.id}`)).status).toBe(404);
  });
});
