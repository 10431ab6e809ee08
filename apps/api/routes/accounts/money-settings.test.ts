import { beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { Answer } from '#testing/client.js';
import { holdLog } from '#testing/held-log.js';
import { importLines, usersOf } from '#testing/imports.js';
import { acceptance, generateKeys, offer, ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const PATH = '/auth/account/money';
const BEGUN = {
  status: 409,
  error: 'currency and decimals can be set only before the first offer or transaction of the account',
};

const api = withTestApi({ processes: 2 });
let business: TestBusiness;

beforeEach(async () => {
  business = await openTestBusiness(api.client);
});

const set = (body: object, by = business.client) => by.patch(PATH, body);
const me = async (by = business.client) => ok(await by.get('/auth/account/me'), 200).data;
const refused = ({ status, body }: Answer) => [status, Array.isArray(body.message) ? body.message : body.error];
const fund = (amount: number, by = business.client) =>
  by.post('/transactions/fund-user', { user_reference: 'ann', amount });

describe('the money settings of an account', () => {
  it('are shown once they are set, by every process, and change one by one', async () => {
    const [, other] = api.clients.map((client) => client.as(business.client.credential));
    const before = await me(other);
    expect(before).not.toHaveProperty('currency');
    expect(before).not.toHaveProperty('decimals');
    const both = { currency: 'EUR', decimals: 2 };
    expect(ok(await set(both), 200)).toEqual({ data: both, message: 'Money settings updated' });
    expect(await me(other)).toMatchObject(both);
    expect(ok(await set({ decimals: 0 }), 200).data).toEqual({ currency: 'EUR', decimals: 0 });
    expect(await me(other)).toMatchObject({ currency: 'EUR', decimals: 0 });
    expect(ok(await set({ currency: null, decimals: null }), 200).data).toEqual({ currency: null, decimals: null });
    expect(Object.keys(await me(other))).toEqual(Object.keys(before));
  });

  it('leave account events with who changed them, and an event in the log', async () => {
    ok(await set({ currency: 'JPY', decimals: 0 }), 200);
    ok(await set({ decimals: 1 }), 200);
    const events = ok(await business.client.get('/account-events?sort_direction=asc'), 200).data;
    const changes = events.filter(({ type }: { type: string }) => /^(currency|decimals)-changed$/.test(type));
    const actor = { type: 'account', name: business.account.name };
    expect(changes).toMatchObject([
      { type: 'currency-changed', actor, before: { currency: null }, after: { currency: 'JPY' } },
      { type: 'decimals-changed', actor, before: { decimals: null }, after: { decimals: 0 } },
      { type: 'decimals-changed', actor, before: { decimals: 0 }, after: { decimals: 1 } },
    ]);
    const logged = ok(await business.client.get('/events?types=account.updated'), 200).data;
    expect(logged).toMatchObject([{ account: { currency: 'JPY', decimals: 0 } }, { account: { decimals: 1 } }]);
  });

  it('are checked, and set by a session alone', async () => {
    for (const currency of ['eur', 'EURO', 'E', '', 'QQQ', 978]) expect((await set({ currency })).status).toBe(400);
    for (const decimals of [-1, 7, 1.5, '2']) expect((await set({ decimals })).status).toBe(400);
    expect(refused(await set({ currency: 'QQQ' }))).toEqual([
      400,
      ['currency must be an alphabetic code of ISO 4217, like EUR'],
    ]);
    expect(refused(await set({ unit: 'EUR' }))).toEqual([400, ['property unit should not exist']]);
    const byKey = api.client.as({ base64: (await generateKeys(business.account)).base64 });
    expect((await set({ decimals: 2 }, byKey)).status).toBe(401);
    expect(await me(byKey)).not.toHaveProperty('decimals');
  });

  it('stay as they are from the first transaction on', async () => {
    await business.user('ann', 0);
    const both = { currency: 'USD', decimals: 2 };
    ok(await set(both), 200);
    ok(await fund(10.25));
    for (const body of [{ decimals: 3 }, { decimals: null }, { currency: 'EUR' }]) {
      expect((await set(body)).body).toEqual(BEGUN);
    }
    expect(ok(await set(both), 200).data).toEqual(both);
    expect(await me()).toMatchObject(both);
    expect(refused(await fund(0.125))).toEqual([400, 'amount must not have more than 2 decimal places']);
  });

  it('stay as they are from the first offer on, also when no money was ever paid in', async () => {
    await business.user('ann', 0);
    ok(
      await business.client.patch('/account/user/ann/reference', { preferences: { allow_negative_balance: true } }),
      200,
    );
    ok(await business.make('ann', 0.5));
    expect((await set({ decimals: 0 })).body).toEqual(BEGUN);
  });
});

describe('an account with two decimals', () => {
  beforeEach(async () => {
    ok(await set({ decimals: 2 }), 200);
    for (const name of ['ann', 'bob', 'cat']) await business.user(name, 100);
  });

  it('refuses finer amounts on every route, and changes nothing', async () => {
    ok(await business.make('ann', 10, 1.999999));
    const withdraw = (amount: number) =>
      business.client.post('/transactions/withdraw', { user_reference: 'ann', amount });
    const batch = (data: object) =>
      business.client.post('/bets/batch', {
        operations: [
          { operation_type: 'make_bet_offer', operation_id: 'first', data: offer('ann', 1) },
          { operation_type: 'accept_bet_offer', operation_id: 'second', data },
        ],
      });
    const before = await business.moneyOf('ann');
    const text = (field: string) => `${field} must not have more than 2 decimal places`;
    expect(refused(await fund(1.001))).toEqual([400, text('amount')]);
    expect(refused(await withdraw(1.001))).toEqual([400, text('amount')]);
    expect(refused(await business.make('ann', 0.005))).toEqual([400, text('requesting_amount')]);
    expect(refused(await business.accept('bob', 1.001))).toEqual([400, text('accepting_amount')]);
    expect(refused(await business.cancel('ann', { cancel_amount: 1.001 }))).toEqual([400, text('cancel_amount')]);
    const inBatch = `operation 'second': ${text('accepting_amount')}`;
    expect(refused(await batch(acceptance('bob', 1.001)))).toEqual([400, inBatch]);
    expect(await business.moneyOf('ann')).toEqual(before);
    ok(await business.cancel('ann', { cancel_amount: 1.01 }));
    ok(await withdraw(0.99));
  });

  it('imports users, and refuses lines with finer amounts', async () => {
    expect(await importLines(business.client, [{ reference: 'eve', name: 'Eve' }])).toMatchObject([{ status: 201 }]);
    expect(await importLines(business.client, usersOf(2))).toMatchObject([{ status: 201 }, { status: 201 }]);
    const fine = { reference: 'fay', name: 'Fay', funds: { amount: 0.015 } };
    expect(await importLines(business.client, [fine])).toMatchObject([
      { line: 1, status: 400, code: 'too-many-decimals', error: 'amount must not have more than 2 decimal places' },
    ]);
    expect((await business.client.get('/account/user/fay/reference')).status).toBe(404);
    await expectBooksToBalance(api.database);
  });

  it('rounds winnings down, the same for both sides, in previews, settlements and corrections', async () => {
    const balances = async () =>
      Promise.all(['ann', 'bob', 'cat'].map(async (name) => (await business.moneyOf(name)).balance));
    ok(await business.make('ann', 0.35, 1.999999));
    ok(await business.accept('bob', 0.05));
    ok(await business.accept('cat', 0.3));
    // 0.0499…, 0.2999…: what each of the two bets wins is rounded by itself.
    expect((await business.moneyOf('bob')).exposure).toBe(0.04);
    const operation = { type: 'update_wager_outcome', reference: 'match', outcome: 'win' };
    const { data: preview } = ok(await business.client.post('/previews', { operation }), 200);
    expect(preview.moved).toEqual({ credit: 0.33, debit: 0.33 });
    ok(await business.decide('win'));
    expect(await balances()).toEqual([100.33, 99.96, 99.71]);
    const { data: bets } = ok(await business.client.get('/bets/history'), 200);
    const idOf = (amount: number) => bets.find((bet: Record<string, unknown>) => bet.effective_amount === amount)?.id;
    ok(await business.override(idOf(0.05), 'half-loss'), 200);
    expect(await balances()).toEqual([100.27, 100.02, 99.71]);
    ok(await business.override(idOf(0.05), 'half-win'), 200);
    expect(await balances()).toEqual([100.31, 99.98, 99.71]);
    await expectBooksToBalance(api.database);
  });
});

it('an account that sets nothing rounds to the nearest millionth, as before', async () => {
  for (const name of ['ann', 'bob']) await business.user(name, 100);
  await business.match('ann', 'bob', 0.05, 1.99999);
  ok(await business.decide('win'));
  expect((await business.moneyOf('ann')).balance).toBe(100.05);
  await expectBooksToBalance(api.database);
});

describe('settings that race with the first money', () => {
  /** Runs both while another transaction holds the end of the log, so that they come to it in the order of their start. */
  async function inOrder(first: () => Promise<Answer>, second: () => Promise<Answer>): Promise<[Answer, Answer]> {
    const { id } = await me();
    const log = await holdLog(api.database, id);
    try {
      const started = first();
      await waitFor(async () => (await log.waits()) === 1);
      const both = Promise.all([started, second()]);
      await waitFor(async () => (await log.waits()) === 2);
      await log.release();
      return await both;
    } finally {
      await log.close();
    }
  }

  beforeEach(async () => {
    await business.user('ann', 0);
  });

  it('are refused when the money came first', async () => {
    const [funded, settings] = await inOrder(
      () => fund(0.5),
      () => set({ decimals: 0 }),
    );
    expect(ok(funded).data.amount).toBe(0.5);
    expect(settings.body).toEqual(BEGUN);
    expect(await me()).not.toHaveProperty('decimals');
    await expectBooksToBalance(api.database);
  });

  it('bind money that was counted before and came later', async () => {
    const [settings, funded] = await inOrder(
      () => set({ decimals: 0 }),
      () => fund(0.5),
    );
    expect(ok(settings, 200).data.decimals).toBe(0);
    expect(refused(funded)).toEqual([400, 'amount must not have more than 0 decimal places']);
    expect(await business.moneyOf('ann')).toEqual({ balance: 0, exposure: 0 });
    ok(await fund(2));
    await expectBooksToBalance(api.database);
  });

  it('bind a batch and what shares its transaction', async () => {
    const batch = () =>
      business.client.post('/bets/batch', {
        operations: [{ operation_type: 'make_bet_offer', operation_id: 'x', data: offer('ann', 1.5) }],
      });
    ok(
      await business.client.patch('/account/user/ann/reference', { preferences: { allow_negative_balance: true } }),
      200,
    );
    const [settings, made] = await inOrder(() => set({ decimals: 0 }), batch);
    ok(settings, 200);
    expect(refused(made)).toEqual([400, "operation 'x': requesting_amount must not have more than 0 decimal places"]);
  });

  it('either are there before or are refused, in any order and from any process', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      business = await openTestBusiness(api.client);
      await business.user('ann', 0);
      const [first, second] = api.clients.map((client) => client.as(business.client.credential));
      const money = [fund(0.5, first), fund(0.25, second)];
      const [settings, ...funded] = await Promise.all([
        set({ decimals: 0 }, round % 2 === 0 ? first : second),
        ...money,
      ]);
      const came = funded.map(({ status }) => status);
      expect([
        [200, 400, 400],
        [409, 201, 201],
      ]).toContainEqual([settings.status, ...came]);
      outcomes.add(String(settings.status));
      const { decimals = null } = await me();
      expect(decimals).toBe(settings.status === 200 ? 0 : null);
    }
    expect(outcomes.size).toBeGreaterThan(0);
    await expectBooksToBalance(api.database);
  });
});
