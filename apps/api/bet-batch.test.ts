import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { acceptance, offer, ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';

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

describe('batches', () => {
  const batch = (...operations: [string, object][]) =>
    business.client.post('/bets/batch', {
      operations: operations.map(([operation_type, data], index) => ({
        operation_type,
        operation_id: `x${index}`,
        data,
      })),
    });

  it('do all in order, and judge money at the end', async () => {
    await business.user('ann', 100);
    await business.user('bob');
    ok(await business.make('ann', 100));
    const { results, message } = ok(
      await batch(
        ['make_bet_offer', offer('ann', 100, 3)],
        [
          'cancel_bet_offer',
          { requesting_user_reference: 'ann', wager_references: ['match'], cancel_all: true, maximum_odds: 2 },
        ],
        ['accept_bet_offer', acceptance('bob', 40)],
      ),
    );
    expect(message).toEqual(expect.any(String));
    expect(results).toEqual([
      {
        operation_id: 'x0',
        operation_type: 'make_bet_offer',
        success: true,
        data: expect.objectContaining({ bet_id: expect.any(Number) }),
      },
      { operation_id: 'x1', operation_type: 'cancel_bet_offer', success: true, data: [expect.any(Object)] },
      {
        operation_id: 'x2',
        operation_type: 'accept_bet_offer',
        success: true,
        data: [expect.objectContaining({ accepted_odds: 3, accepted_amount: 40 })],
      },
    ]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 100, exposure: 100 });
    expect(await business.moneyOf('bob')).toEqual({ balance: 1000, exposure: 80 });
  });

  it('leave nothing behind when one fails, and name it', async () => {
    await business.user('ann', 100);
    const answer = await batch(['make_bet_offer', offer('ann', 60)], ['make_bet_offer', offer('ann', 60)]);
    expect(answer.body).toEqual({
      status: 400,
      error: "operation 'x1': Insufficient balance: offer would cause negative effective balance",
    });
    const nothing = await batch(
      ['make_bet_offer', offer('ann', 60)],
      ['cancel_bet_offer', { requesting_user_reference: 'ann', wager_references: ['other'], cancel_all: true }],
    );
    expect(nothing.body.error).toBe("operation 'x1': No cancelable bets found");
    expect(await business.moneyOf('ann')).toEqual({ balance: 100, exposure: 0 });
  });

  it.each([
    ['no operations', { operations: [] }, 'operations should not be empty'],
    ['too many', { operations: Array(21).fill({}) }, 'operations must contain no more than 20 elements'],
    [
      'an unknown type',
      { operations: [{ operation_type: 'x', operation_id: 'a', data: {} }] },
      'operations[0].operation_type must be one of the following values: make_bet_offer, accept_bet_offer, cancel_bet_offer, update_wager_outcome, override_bet_outcome',
    ],
    [
      'bad odds',
      { operations: [{ operation_type: 'make_bet_offer', operation_id: 'a', data: offer('ann', 1, 0.5) }] },
      'operations[0].data.requesting_odds must not be less than 1',
    ],
    [
      'a filter below 1.01',
      { operations: [{ operation_type: 'cancel_bet_offer', operation_id: 'a', data: { minimum_odds: 1 } }] },
      'operations[0].data.minimum_odds must not be less than 1.01',
    ],
  ])('validate %s', async (_case, body, text) => {
    const answer = await business.client.post('/bets/batch', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(text);
  });

  it('refuse repeated operation ids', async () => {
    await business.user('ann');
    const operation = { operation_type: 'make_bet_offer', operation_id: 'same', data: offer('ann', 1) };
    const answer = await business.client.post('/bets/batch', { operations: [operation, operation] });
    expect(answer.body).toEqual({ status: 400, error: 'Operation IDs must be unique within a batch' });
  });
});
