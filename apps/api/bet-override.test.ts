import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { registerAndLogIn } from '#testing/client.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { acceptance, offer, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';

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
  await Promise.all(['ann', 'bob'].map((name) => business.user(name)));
});

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

  it('changes as often as asked, each time by reversal, after the decision too', async () => {
    const bet = await business.match('ann', 'bob', 100, 3);
    for (const [outcome, balance] of [
      ['win', 1200],
      ['loss', 900],
      ['void', 1000],
      ['half-loss', 950],
    ] as const) {
      ok(await business.override(bet, outcome), 200);
      expect(await balances()).toEqual([balance, 2000 - balance]);
    }
    ok(await business.decide('win'));
    expect(await balances()).toEqual([950, 1050]);
    ok(await business.override(bet, 'half-win'), 200);
    expect(await balances()).toEqual([1100, 900]);
    const last = (await business.bet(bet)).bet_trails.at(-1);
    expect(last).toMatchObject({ outcome: 'win', override_outcome: 'half-win' });
    expect(last.transactions.map(({ description }: { description: string }) => description).sort()).toEqual([
      'Bet settled: half-win',
      'Bet settled: half-win',
      'Settlement reversed: half-loss',
      'Settlement reversed: half-loss',
    ]);
  });

  it('un-settles with `undecided`, on a decided wager too', async () => {
    const bet = await business.match('ann', 'bob', 100, 3);
    ok(await business.decide('win'));
    ok(await business.override(bet, 'undecided'), 200);
    expect([await balances(), await exposures()]).toEqual([
      [1000, 1000],
      [100, 200],
    ]);
    expect(ok(await business.client.get('/bets/history?bet_outcomes=undecided'), 200).total).toBe(1);
  });

  it('repeated, moves nothing', async () => {
    const bet = await business.match('ann', 'bob', 100, 3);
    ok(await business.override(bet, 'win'), 200);
    ok(await business.override(bet, 'win'), 200);
    expect(await balances()).toEqual([1200, 800]);
    expect((await business.bet(bet)).bet_trails.at(-1).transactions).toEqual([]);
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
    const admin = await registerAdmin(api.client, environment.database);
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
      { bet_id: 0, override_outcome: 'lost', reason: 'x' },
      [
        'bet_id must not be less than 1',
        'override_outcome must be one of the following values: undecided, win, loss, push, half-win, half-loss, void',
        'property reason should not exist',
      ],
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await business.client.post('/bets/override-outcome', body);
    expect([answer.status, answer.body]).toEqual([400, { message, error: 'Bad Request', statusCode: 400 }]);
  });
});

describe('decisions and overrides in a batch', () => {
  const batch = (...operations: [string, object][]) =>
    business.client.post('/bets/batch', {
      operations: operations.map(([operation_type, data], index) => ({
        operation_type,
        operation_id: `x${index}`,
        data,
      })),
    });
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
    const rows = await environment.database.query(`SELECT 1 FROM wagers w WHERE reference = 'other'`);
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
