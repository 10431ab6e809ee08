import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { offer, ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';

let environment: TestEnvironment;
let api: TestPart;
let business: TestBusiness;

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
});

afterAll(async () => {
  await api?.close();
  await environment?.close();
});

afterEach(() => expectBooksToBalance(environment.database));

beforeEach(async () => {
  business = await openTestBusiness(api.client);
});

describe('making offers', () => {
  it('creates the wager, the bet and a trail entry, and exposes the stake', async () => {
    await business.user('ann');
    const first = await business.make('ann', 100, 2.5);
    expect([first.status, first.body]).toEqual([
      201,
      {
        data: { bet_id: expect.any(Number), wager_reference: 'match', wager_id: expect.any(Number) },
        message: expect.any(String),
      },
    ]);
    const second = ok(await business.make('ann', 0.000001, 1));
    expect(second.data.wager_id).toBe(first.body.data.wager_id);
    expect(second.data.bet_id).toBeGreaterThan(first.body.data.bet_id);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 100.000001 });
    const trails = await environment.database.query(
      'SELECT description, offer_status FROM bet_trails WHERE bet_id = $1',
      [first.body.data.bet_id],
    );
    expect(trails).toEqual([{ description: 'Offer made', offer_status: 'requesting' }]);
  });

  it.each([
    ['more than there is', 1000.000001, {}, 400, 'Insufficient balance: offer would cause negative effective balance'],
    ['an unknown user', 1, { requesting_user_reference: 'nobody' }, 404, 'User not found'],
    [
      'nobody',
      1,
      { requesting_user_reference: null },
      400,
      'requesting_user_id or requesting_user_reference must be defined',
    ],
    ['an unknown allowed acceptor', 1, { allowed_acceptor_ids: [999999999] }, 404, 'Allowed acceptor not found'],
  ])('refuses %s and changes nothing', async (_case, amount, more, status, error) => {
    await business.user('ann');
    const answer = await business.make('ann', amount, 2, more);
    expect([answer.status, answer.body]).toEqual([status, { status, error }]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect(
      await environment.database.query(
        `SELECT 1 FROM wagers w JOIN accounts a ON a.id = w.account_id WHERE a.email = $1`,
        [business.account.email],
      ),
    ).toEqual([]);
  });

  it('refuses identifiers that name different users', async () => {
    const ann = await business.user('ann');
    await business.user('bob');
    const answer = await business.make('bob', 1, 2, { requesting_user_id: ann });
    expect(answer.status).toBe(400);
    expect(ok(await business.make('ann', 1, 2, { requesting_user_id: ann })).data.bet_id).toEqual(expect.any(Number));
  });

  it.each([
    [{ requesting_amount: 0 }, 'requesting_amount must not be less than 0.000001'],
    [{ requesting_odds: 0.5 }, 'requesting_odds must not be less than 1'],
    [{ requesting_amount: 1.0000001 }, 'requesting_amount must not have more than 6 decimal places'],
    [{ wager_reference: '' }, 'wager_reference should not be empty'],
    [{ bet_id: 5 }, 'property bet_id should not exist'],
    [{ requesting_amount: '5' }, 'requesting_amount must be a number'],
    [{ allowed_acceptor_ids: ['x'] }, 'allowed_acceptor_ids[0] must be an integer number'],
  ])('validates %j', async (change, text) => {
    const answer = await business.client.post('/bets/make-offer', { ...offer('ann', 1), ...change });
    expect(answer.body).toEqual({ message: [text], error: 'Bad Request', statusCode: 400 });
  });

  it('lets a user below zero where the user or the account allows it', async () => {
    ok(
      await business.client.post('/account/user', {
        name: 'x',
        reference: 'free',
        preferences: { allow_negative_balance: true },
      }),
    );
    ok(await business.make('free', 50));
    expect(await business.moneyOf('free')).toEqual({ balance: 0, exposure: 50 });
    await environment.database.query(
      `UPDATE accounts SET preferences = '{"allow_negative_balance": true}' WHERE email = $1`,
      [business.account.email],
    );
    await business.user('ann', 0);
    ok(await business.make('ann', 5));
    ok(
      await business.client.post('/account/user', {
        name: 'x',
        reference: 'bound',
        preferences: { allow_negative_balance: false },
      }),
    );
    expect((await business.make('bound', 5)).status).toBe(400);
  });
});

describe('accepting', () => {
  it('takes best odds first, then the oldest, splits the last, and moves both exposures', async () => {
    await Promise.all(['ann', 'bob', 'cat'].map((name) => business.user(name)));
    const dear = ok(await business.make('ann', 100, 3)).data.bet_id;
    const old = ok(await business.make('ann', 100, 2)).data.bet_id;
    const young = ok(await business.make('bob', 100, 2)).data.bet_id;
    const { data } = ok(await business.accept('cat', 150));
    expect(data).toEqual([
      {
        bet_id: old,
        requesting_user_reference: 'ann',
        requesting_user_id: expect.any(Number),
        accepted_amount: 100,
        accepted_odds: 2,
        wager_reference: 'match',
        wager_id: expect.any(Number),
      },
      expect.objectContaining({ bet_id: young, requesting_user_reference: 'bob', accepted_amount: 50 }),
    ]);
    expect(await business.moneyOf('cat')).toEqual({ balance: 1000, exposure: 150 });
    // The rest keeps its place: it goes before a newer offer of the same odds.
    ok(await business.make('ann', 10, 2));
    const next = ok(await business.accept('cat', 60)).data;
    expect(
      next.map(({ requesting_user_reference }: { requesting_user_reference: string }) => requesting_user_reference),
    ).toEqual(['bob', 'ann']);
    expect(ok(await business.accept('cat', 1)).data[0].bet_id).toBe(dear);
  });

  it('hedges: accepting against one’s own matched offer frees exposure', async () => {
    await Promise.all(['ann', 'bob'].map((name) => business.user(name)));
    ok(await business.make('ann', 100));
    ok(await business.accept('bob', 100));
    ok(await business.make('bob', 100));
    ok(await business.accept('ann', 100));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect(await business.moneyOf('bob')).toEqual({ balance: 1000, exposure: 0 });
  });

  it('never matches a user with itself, and keeps to the allow-list', async () => {
    const [, bob] = await Promise.all(['ann', 'bob', 'cat'].map((name) => business.user(name)));
    const { bet_id } = ok(
      await business.make('ann', 10, 2, { allowed_acceptor_ids: [bob], allowed_acceptor_references: ['bob'] }),
    ).data;
    const none = { status: 400, error: 'No matching bet offers found' };
    expect((await business.accept('ann', 10)).body).toEqual(none);
    expect((await business.accept('cat', 10)).body).toEqual(none);
    const byId = (reference: string) => business.accept(reference, 10, { wager_reference: null, bet_id });
    expect((await byId('ann')).body.error).toContain('own offer');
    expect((await byId('cat')).body.error).toContain('not allowed');
    expect((await business.accept('bob', 10, { bet_id, maximum_odds: 1.5 })).body.error).toContain(
      'above maximum_odds',
    );
    expect(ok(await byId('bob')).data[0].accepted_amount).toBe(10);
    expect((await byId('bob')).body.error).toContain("must be 'requesting'");
  });

  it('reaches past a long front of offers that are closed to the acceptor', async () => {
    await Promise.all(['ann', 'bob'].map((name) => business.user(name, 100_000)));
    for (let batch = 0; batch < 5; batch += 1) {
      const operations = Array.from({ length: 20 }, (_, index) => ({
        operation_type: 'make_bet_offer',
        operation_id: `${index}`,
        data: offer('ann', 1, 2),
      }));
      ok(await business.client.post('/bets/batch', { operations }));
    }
    ok(await business.make('bob', 7, 9));
    expect(ok(await business.accept('ann', 100)).data).toEqual([
      expect.objectContaining({ accepted_amount: 7, accepted_odds: 9 }),
    ]);
    expect(ok(await business.accept('bob', 100)).data).toHaveLength(100);
    expect(await business.moneyOf('ann')).toEqual({ balance: 100_000, exposure: 93 });
  });

  it('refuses the acceptor who cannot pay', async () => {
    await business.user('ann');
    await business.user('poor', 10);
    ok(await business.make('ann', 100, 3));
    const answer = await business.accept('poor', 100);
    expect(answer.body).toEqual({
      status: 400,
      error: 'Insufficient balance: acceptance would cause negative effective balance',
    });
    expect(ok(await business.accept('poor', 5)).data[0].accepted_amount).toBe(5);
  });

  it('never over-matches: 200 parallel acceptances of one offer', async () => {
    await business.user('ann');
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => business.user(name)));
    ok(await business.make('ann', 50));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => business.accept(names[index % 20] ?? '', 1)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(({ body }) => body.error === 'No matching bet offers found')).toHaveLength(150);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 50 });
  });
});
