import { beforeEach, describe, expect, it } from '@jest/globals';
import { acceptance, offer, ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api);

const batch = (...operations: [string, object][]) =>
  business.client.post('/bets/batch', {
    operations: operations.map(([operation_type, data], index) => ({
      operation_type,
      operation_id: `x${index}`,
      data,
    })),
  });

describe('batches', () => {
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

describe('decisions and overrides in a batch', () => {
  beforeEach(async () => {
    await Promise.all(['ann', 'bob'].map((name) => business.user(name)));
  });

  const balances = async () => [(await business.moneyOf('ann')).balance, (await business.moneyOf('bob')).balance];
  const exposures = async () => [(await business.moneyOf('ann')).exposure, (await business.moneyOf('bob')).exposure];

  const decision = (outcome: string) => ['update_wager_outcome', { reference: 'match', outcome }] as [string, object];
  const override = (bet_id: number, override_outcome: string) =>
    ['override_bet_outcome', { bet_id, override_outcome }] as [string, object];

  it('happen in order, and carry a message for data', async () => {
    const bet = await business.match('ann', 'bob', 100, 3);
    const { results } = ok(
      await batch(
        ['make_bet_offer', offer('ann', 10)],
        ['accept_bet_offer', acceptance('bob', 4)],
        override(bet, 'loss'),
        decision('win'),
      ),
    );
    expect(results.slice(2)).toEqual([
      {
        operation_id: 'x2',
        operation_type: 'override_bet_outcome',
        success: true,
        message: 'Bet outcome overridden',
      },
      {
        operation_id: 'x3',
        operation_type: 'update_wager_outcome',
        success: true,
        message: 'Wager outcome updated',
      },
    ]);
    expect([await balances(), await exposures()]).toEqual([
      [904, 1096],
      [0, 0],
    ]);
    expect(await business.bet(results[0].data.bet_id)).toMatchObject({ offer_status: 'accepted', effective_amount: 4 });
  });

  it('decide a wager that the batch itself created', async () => {
    ok(
      await batch(
        ['make_bet_offer', offer('ann', 10, 2, { wager_reference: 'new' })],
        ['update_wager_outcome', { reference: 'new', outcome: 'push' }],
      ),
    );
    expect((await business.client.get('/wagers/new')).body.data).toMatchObject({
      outcome: 'push',
      settlement: { bets: 0, settled: 0, remaining: 0, state: 'settled' },
    });
    expect(await exposures()).toEqual([0, 0]);
  });

  it('leave nothing behind when a later operation fails', async () => {
    const bet = await business.match('ann', 'bob', 100, 3);
    const open = ok(await business.make('ann', 10)).data.bet_id;
    const before = [
      await business.bet(bet),
      await business.bet(open),
      await business.moneyOf('ann'),
      await business.moneyOf('bob'),
    ];
    const decided = "operation 'x1': Wager has already been decided";
    for (const [later, status, error] of [
      [['make_bet_offer', offer('ann', 1)], 400, decided],
      [['accept_bet_offer', acceptance('bob', 1)], 400, decided],
      [decision('win'), 400, decided],
      [
        ['cancel_bet_offer', { requesting_user_reference: 'ann', bet_id: open, cancel_all: true }],
        400,
        'No cancelable bets found',
      ],
      [
        ['make_bet_offer', offer('ann', 5000, 2, { wager_reference: 'other' })],
        400,
        'would cause negative effective balance',
      ],
      [override(open, 'win'), 400, "bet offer status must be 'accepted'"],
      [override(999_999_999, 'win'), 404, "operation 'x1': Bet not found"],
      [['update_wager_outcome', { reference: 'unknown', outcome: 'win' }], 404, "operation 'x1': Wager not found"],
    ] as [[string, object], number, string][]) {
      const answer = await batch(decision('win'), later);
      expect([answer.status, answer.body.status]).toEqual([status, status]);
      expect(answer.body.error).toContain(error);
    }
    const after = [
      await business.bet(bet),
      await business.bet(open),
      await business.moneyOf('ann'),
      await business.moneyOf('bob'),
    ];
    expect(after).toEqual(before);
    expect((await business.client.get('/wagers/match')).body.data.outcome).toBe('undecided');
    const rows = await api.database.query(`SELECT 1 FROM wagers w WHERE reference = 'other'`);
    expect(rows).toEqual([]);
  });

  it('free money for what the batch does besides', async () => {
    await business.user('cat', 100);
    ok(await business.make('cat', 100));
    const other = offer('cat', 100, 2, { wager_reference: 'other' });
    expect((await batch(['make_bet_offer', other])).body.error).toContain('negative effective balance');
    ok(await batch(['make_bet_offer', other], decision('void')));
    expect(await business.moneyOf('cat')).toEqual({ balance: 100, exposure: 100 });
  });

  it.each([
    [decision('draw'), 'operations[0].data.outcome must be one of the following values: undecided, win, loss, push,'],
    [['update_wager_outcome', { outcome: 'win' }], 'operations[0].data.reference should not be empty'],
    [['override_bet_outcome', { override_outcome: 'win' }], 'operations[0].data.bet_id should not be empty'],
    [['override_bet_outcome', { bet_id: 1, x: 1 }], 'property operations[0].data.x should not exist'],
  ] as [[string, object], string][])('validate %j', async (operation, text) => {
    const answer = await batch(operation);
    expect(answer.status).toBe(400);
    expect(answer.body.message.join('\n')).toContain(text);
  });
});
