import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
let admin: Admin;
let business: TestBusiness;
let accountId: number;
const users = new Map<string, number>();
/** Bets of the wager `match`, in every state that a bet can be in. */
const bets = new Map<string, number>();

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
});

const betOf = (name: string) => bets.get(name) ?? 0;
const correct = (path: string, body: object = {}) => admin.client.post(`/admin/${path}`, body);
const setActive = (name: string, isActive: boolean) =>
  correct(`bets/${betOf(name)}/${isActive ? 'set-active' : 'set-inactive'}`);
const forceOverride = (name: string, override_outcome: string | null, more: object = {}) =>
  correct('bets/force-update-override-outcome', {
    account_id: accountId,
    bet_id: betOf(name),
    override_outcome,
    ...more,
  });
const forceOutcome = (outcome: string, more: object = {}) =>
  correct('wagers/force-update-outcome', { account_id: accountId, wager_reference: 'match', outcome, ...more });

async function openBusinessWithBets(): Promise<void> {
  business = await openTestBusiness(api.client);
  for (const name of ['ann', 'bob', 'cat']) users.set(name, await business.user(name));
  accountId = business.account.id;
  bets.set('matched', await business.match('ann', 'bob', 100, 3));
  bets.set('hedge', await business.match('bob', 'cat', 10.000001, 1.5));
  bets.set('overridden', await business.match('cat', 'ann', 50, 1.8));
  ok(await business.override(betOf('overridden'), 'half-loss'), 200);
  bets.set('inactive', await business.match('ann', 'cat', 20));
  ok(await setActive('inactive', false), 200);
  bets.set('forced', await business.match('bob', 'ann', 7, 4));
  ok(await forceOverride('forced', 'half-win'), 200);
  bets.set('canceled', ok(await business.make('cat', 5)).data.bet_id);
  ok(await business.cancel('cat', { bet_id: betOf('canceled'), cancel_all: true }));
  bets.set('open', ok(await business.make('ann', 30, 2.5)).data.bet_id);
  bets.set('other open', ok(await business.make('bob', 40)).data.bet_id);
}

interface ShownBet {
  readonly id: number;
  readonly offer_status: string;
  readonly is_active: boolean;
  readonly override_outcome: string | null;
}

/** All balances, exposures and bets, as the API shows them. */
async function picture() {
  const all = [];
  for (const [name, id] of users) {
    const positions = ok(await business.client.get(`/account/user/${id}/positions`), 200);
    all.push({ name, ...(await business.moneyOf(name)), positions });
  }
  const history = ok(await business.client.get('/bets/history?per_page=100'), 200);
  const states = history.data.map(({ id, offer_status, is_active, override_outcome }: ShownBet) => ({
    id,
    offer_status,
    is_active,
    override_outcome,
  }));
  return { money: all, states };
}

const outcomes = ['undecided', 'win', 'half-win', 'push', 'half-loss', 'loss', 'void'];

describe.each(['undecided', 'win', 'half-loss'])('with the wager %s, corrections', (outcome) => {
  beforeEach(async () => {
    await openBusinessWithBets();
    ok(await business.decide(outcome));
  });

  it('leave no trace when they are undone in another order', async () => {
    const before = await picture();
    for (let round = 0; round < 2; round += 1) {
      ok(await forceOverride('matched', 'void'), 200);
      ok(await setActive('matched', false), 200);
      ok(await setActive('open', false), 200);
      ok(await forceOutcome('loss'), 200);
      ok(await forceOverride('open', 'win'), 200);
      ok(await setActive('hedge', false), 200);
      ok(await forceOverride('matched', null), 200);
      ok(await forceOutcome(outcome), 200);
      ok(await setActive('open', true), 200);
      ok(await setActive('hedge', true), 200);
      ok(await forceOverride('open', null), 200);
      ok(await setActive('matched', true), 200);
      expect(await picture()).toEqual(before);
    }
  });
});

describe('what a correction does', () => {
  beforeEach(openBusinessWithBets);

  it('tells who and why in the trail of each bet, and moves by new transactions', async () => {
    ok(await business.decide('win'));
    ok(await forceOutcome('loss', { description: 'the referee erred' }), 200);
    ok(await correct(`bets/${betOf('matched')}/set-inactive`, { description: 'under review' }), 200);
    ok(await setActive('matched', true), 200);
    ok(await forceOverride('matched', 'push', { description: 'agreed' }), 200);
    ok(await forceOverride('matched', null), 200);
    const { bet_trails } = await business.bet(betOf('matched'));
    const by = `by admin ${admin.id} (${admin.email})`;
    const described = bet_trails.map(
      (trail: { description: string; offer_status: string; outcome: string; transactions: object[] }) => [
        trail.description,
        trail.offer_status,
        trail.outcome,
        trail.transactions.length,
      ],
    );
    expect(described).toEqual([
      ['Offer made', 'requesting', 'undecided', 0],
      ['Offer accepted', 'accepted', 'undecided', 0],
      ['Bet settled: win', 'accepted', 'win', 2],
      [`Bet settled: loss, was win ${by}: the referee erred`, 'accepted', 'loss', 4],
      [`Bet set inactive ${by}: under review`, 'accepted', 'loss', 2],
      [`Bet set active ${by}`, 'accepted', 'loss', 2],
      [`Override forced: push ${by}: agreed`, 'expired', 'loss', 4],
      [`Override removed ${by}`, 'accepted', 'loss', 4],
    ]);
  });

  it('expires and reopens offers, for acceptors and lists', async () => {
    const openIds = async () =>
      (await business.client.get('/bets/open-bets')).body.data.map(({ id }: { id: number }) => id);
    expect(await openIds()).toEqual([betOf('open'), betOf('other open')]);
    ok(await setActive('open', false), 200);
    expect((await business.accept('cat', 1, { bet_id: betOf('open') })).body.error).toBe('bet is not active');
    ok(await forceOverride('other open', 'void'), 200);
    expect(await openIds()).toEqual([]);
    expect((await business.accept('cat', 1)).body.error).toBe('No matching bet offers found');
    ok(await forceOutcome('win'), 200);
    ok(await setActive('open', true), 200);
    ok(await forceOverride('other open', null), 200);
    expect(await openIds()).toEqual([]);
    ok(await forceOutcome('undecided'), 200);
    expect(await openIds()).toEqual([betOf('open'), betOf('other open')]);
    expect(ok(await business.accept('cat', 1)).data[0].bet_id).toBe(betOf('other open'));
  });

  it('an override that is left out is removed, as with null', async () => {
    ok(await forceOverride('matched', 'win'), 200);
    const body = { account_id: accountId, bet_id: betOf('matched') };
    expect((await correct('bets/force-update-override-outcome', body)).body).toEqual({
      message: 'Bet override removed',
    });
    expect(await business.bet(betOf('matched'))).toMatchObject({ offer_status: 'accepted', override_outcome: null });
  });

  it('is the same from many admins at once', async () => {
    ok(await business.decide('win'));
    const before = await picture();
    const answers = await Promise.all(Array.from({ length: 20 }, () => setActive('matched', false)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const mixed = await Promise.all([
      ...outcomes.map((outcome) => forceOutcome(outcome)),
      ...outcomes.map((outcome) => forceOverride('matched', outcome)),
      ...outcomes.map((outcome) => forceOverride('open', outcome)),
    ]);
    expect(mixed.map(({ status }) => status)).toEqual(Array(21).fill(200));
    await expectBooksToBalance(api.database);
    for (const name of ['matched', 'open']) ok(await forceOverride(name, null), 200);
    ok(await setActive('matched', true), 200);
    ok(await forceOutcome('win'), 200);
    expect(await picture()).toEqual(before);
  });
});

describe('refusals', () => {
  beforeAll(openBusinessWithBets);

  const ADMIN_CALLS: [string, string][] = [
    ['GET', '/admin/accounts'],
    ['GET', '/admin/accounts/1'],
    ['PATCH', '/admin/accounts/1'],
    ['POST', '/admin/wagers/force-update-outcome'],
    ['POST', '/admin/bets/1/set-inactive'],
    ['POST', '/admin/bets/1/set-active'],
    ['POST', '/admin/bets/force-update-override-outcome'],
  ];

  it('a business gets 403, an anonymous caller 401, before the API looks at the request', async () => {
    const forbidden = { status: 403, error: 'Only admin accounts may do this' };
    for (const [method, path] of ADMIN_CALLS) {
      const answer = await business.client.call(method, path, method === 'GET' ? {} : { body: { nonsense: 1 } });
      expect([path, answer.status, answer.body]).toEqual([path, 403, forbidden]);
      expect((await api.client.call(method, path)).status).toBe(401);
    }
    const keys = ok(await admin.client.post('/auth/account/generate-keys')).data.base64_encoded;
    expect((await api.client.as({ base64: keys }).get('/admin/accounts')).status).toBe(200);
  });

  it.each([
    [
      'wagers/force-update-outcome',
      { account_id: 999_999, wager_reference: 'match', outcome: 'win' },
      'Account not found',
    ],
    ['wagers/force-update-outcome', { wager_reference: 'unknown', outcome: 'win' }, 'Wager not found'],
    ['bets/999999999/set-inactive', {}, 'Bet not found'],
    ['bets/999999999/set-active', {}, 'Bet not found'],
    ['bets/force-update-override-outcome', { account_id: 999_999, bet_id: 1 }, 'Account not found'],
    ['bets/force-update-override-outcome', { bet_id: 999_999_999, override_outcome: null }, 'Bet not found'],
  ])('%s %j: %s', async (path, body, error) => {
    const whole = path.endsWith('active') ? body : { account_id: accountId, ...body };
    const answer = await correct(path, whole);
    expect([answer.status, answer.body]).toEqual([404, { status: 404, error }]);
  });

  it('a bet is corrected in the account that it belongs to, and a canceled one has no override', async () => {
    const own = { account_id: admin.id, bet_id: betOf('matched'), override_outcome: 'win' };
    expect((await correct('bets/force-update-override-outcome', own)).status).toBe(404);
    const answer = await forceOverride('canceled', 'win');
    expect([answer.status, answer.body.error]).toEqual([400, "bet offer status must not be 'canceled'"]);
  });

  it.each([
    [
      'wagers/force-update-outcome',
      {},
      ['account_id should not be empty', 'wager_reference should not be empty', 'outcome should not be empty'],
    ],
    [
      'wagers/force-update-outcome',
      { account_id: 1, wager_reference: 'a,b', outcome: 'draw', description: '', more: 1 },
      [
        'wager_reference must not contain a comma',
        `outcome must be one of the following values: ${['undecided', 'win', 'loss', 'push', 'half-win', 'half-loss', 'void'].join(', ')}`,
        'description should not be empty',
        'property more should not exist',
      ],
    ],
    [
      'bets/force-update-override-outcome',
      { account_id: '1' },
      ['account_id must be an integer number', 'bet_id should not be empty'],
    ],
    ['bets/x/set-active', {}, ['betId must be an integer number']],
    ['bets/1/set-inactive', { is_active: true }, ['property is_active should not exist']],
  ])('validate %s %j', async (path, body, message) => {
    const answer = await correct(path, body);
    expect([answer.status, answer.body]).toEqual([400, { message, error: 'Bad Request', statusCode: 400 }]);
  });
});
