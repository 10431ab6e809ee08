import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { TestClient } from '#testing/client.js';
import { isLongForm } from '#testing/long-form.js';
import { createDigester } from '#testing/table-digests.js';
import { type Admin, ok, registerAdmin } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { waitFor } from '#testing/wait-for.js';
import { readLedgerState, whatHappened } from '#testing/what-happened.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

const api = withTestApi();
const business = withBusiness(api);
const random = createSeededRandom(testSeed);
const MICROS = 1_000_000;
const BETS = isLongForm ? 500 : 160;
const BETTORS = Array.from({ length: 12 }, (_, index) => `bettor-${index}`) as [string, ...string[]];
const WAGERS = Array.from({ length: 10 }, (_, index) => `wager-${index}`) as [string, ...string[]];
const OUTCOMES = ['win', 'half-win', 'push', 'void', 'half-loss', 'loss', 'undecided'] as const;

let admin: Admin;
let accountId: number;

interface Operation {
  readonly by: TestClient;
  readonly preview: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly body: object;
}

const own = (type: string, path: string, fields: object): Operation => ({
  by: business.client,
  path,
  body: fields,
  preview: { type, ...fields },
});
const decide = (reference: string, outcome: string) =>
  own('update_wager_outcome', '/bets/update-wager-outcome', { reference, outcome });
const override = (bet_id: number, override_outcome: string) =>
  own('override_bet_outcome', '/bets/override-outcome', { bet_id, override_outcome });

const byAdmin = (type: string, path: string, fields: object): Operation => ({
  by: admin.client,
  path,
  body: { account_id: accountId, ...fields },
  preview: { type, account_id: accountId, ...fields },
});
const force = (wager_reference: string, outcome: string) =>
  byAdmin('force_update_outcome', '/admin/wagers/force-update-outcome', { wager_reference, outcome });
const forceOverride = (bet_id: number, override_outcome: string | null) => {
  const path = '/admin/bets/force-update-override-outcome';
  return byAdmin('force_update_override_outcome', path, { bet_id, override_outcome });
};
const setActive = (bet_id: number, isActive: boolean): Operation => {
  const word = isActive ? 'set_active' : 'set_inactive';
  const path = `/admin/bets/${bet_id}/${word.replace('_', '-')}`;
  return { by: admin.client, path, body: { description: 'a test' }, preview: { type: word, bet_id } };
};

const unknownAccount = ({ preview, body }: Operation) => ({
  preview: { ...preview, account_id: 999_999_999 },
  body: { ...body, account_id: 999_999_999 },
});

const ofBet = (id: number): Operation =>
  random
    .pickWeighted<{ weight: number; make: () => Operation }>([
      { weight: 4, make: () => override(id, random.pick(OUTCOMES)) },
      { weight: 3, make: () => forceOverride(id, random.pick([null, ...OUTCOMES])) },
      { weight: 2, make: () => setActive(id, random.happens(0.5)) },
    ])
    .make();
const ofWager = (reference: string): Operation =>
  random.happens(0.3) ? decide(reference, random.pick(OUTCOMES)) : force(reference, random.pick(OUTCOMES));

const previewOf = async ({ by, preview }: Operation) =>
  ok(await by.post('/previews', { operation: preview }), 200).data;

/** All users that a preview names. */
async function usersOf({ by }: Operation, id: number) {
  const users: Record<string, unknown>[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = ok(await by.get(`/previews/${id}/users?cursor=${cursor}`), 200);
    users.push(...page.data);
    cursor = page.next;
  }
  return users;
}

const readState = () => readLedgerState(api.database, accountId);

/** Previews, does, and compares every user, count and sum. Returns whether it was done. */
async function previewAndDo(operation: Operation): Promise<boolean> {
  const before = await readState();
  const shown = await previewOf(operation);
  expect(await readState()).toEqual(before);
  const done = await operation.by.post(operation.path, operation.body);
  const after = await readState();
  const { would_succeed, refusal, bets, moved, users: counts } = shown;
  if (done.status >= 400) {
    expect({ would_succeed, refusal, counts }).toEqual({
      would_succeed: false,
      refusal: done.body.error,
      counts: { affected: 0, below_zero: 0 },
    });
    return false;
  }
  const users = (await usersOf(operation, shown.id))
    .map(({ user_id: _, ...user }) => user)
    .sort((one, other) => (String(one.reference) < String(other.reference) ? -1 : 1));
  expect({ would_succeed, refusal, bets, moved, counts, users }).toEqual(
    await whatHappened(api.database, before, after),
  );
  return true;
}

/** Offers and acceptances of random amounts, a batch of them a request. */
async function makeBets(): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < BETS) {
    const operations = Array.from({ length: 20 }, (_, index) => {
      const amount = (1 + random.below(5_000_000)) / MICROS;
      const offer = { requesting_odds: (1_000_001 + random.below(4_000_000)) / MICROS, requesting_amount: amount };
      const user = { requesting_user_reference: random.pick(BETTORS), wager_reference: random.pick(WAGERS) };
      return { operation_type: 'make_bet_offer', operation_id: String(index), data: { ...offer, ...user } };
    });
    const { results } = ok(await business.client.post('/bets/batch', { operations }));
    for (const { data } of results) ids.push(data.bet_id);
    for (const wager_reference of WAGERS) {
      const acceptance = { wager_reference, maximum_odds: 100, accepting_amount: 1 + random.below(9) };
      await business.client.post('/bets/accept-offer', {
        ...acceptance,
        accepting_user_reference: random.pick(BETTORS),
      });
    }
  }
  return ids;
}

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
  await Promise.all(BETTORS.map((reference) => business.user(reference, 10_000)));
  const [row] = await api.database.query('SELECT id::int FROM accounts WHERE email = $1', [business.account.email]);
  accountId = Number(row?.id);
  ok(await business.make('bettor-0', 1, 2, { wager_reference: 'decided' }));
  ok(await business.decide('win', 'decided'));
});

describe('a preview', () => {
  it(`is what then happens, for ${BETS} bets in random states`, async () => {
    const ids = await makeBets();
    let done = 0;
    for (const [index, id] of random.shuffle(ids).entries()) {
      if (index % 10 === 0) await previewAndDo(ofWager(random.pick(WAGERS)));
      done += Number(await previewAndDo(ofBet(id)));
    }
    expect(done).toBeGreaterThan(BETS / 4);
    await expectBooksToBalance(api.database);
  }, 300_000);

  it('writes nothing but itself', async () => {
    const without = ['previews', 'preview_users', 'refused_calls'];
    const digest = await createDigester(api.database, { without });
    const before = await digest();
    for (const operation of [force('wager-1', 'half-loss'), decide('nowhere', 'win')]) await previewOf(operation);
    expect(await digest()).toEqual(before);
  });

  it.each([
    ['Wager not found', () => decide('nowhere', 'win')],
    ['Wager has already been decided', () => decide('decided', 'loss')],
    ['Bet not found', () => override(999_999_999, 'win')],
    ['Bet not found', () => setActive(999_999_999, true)],
    ['Wager not found', () => force('nowhere', 'win')],
    ['Account not found', () => ({ ...force('w', 'win'), ...unknownAccount(force('w', 'win')) })],
  ])('says why it would be refused: %s', async (refusal, operationOf) => {
    const operation = operationOf();
    const shown = await previewOf(operation);
    expect(shown).toMatchObject({
      would_succeed: false,
      refusal,
      exact: true,
      moved: { credit: 0, debit: 0 },
      largest: [],
      users: { affected: 0, below_zero: 0 },
      bets: { settled: 0, expired_offers: 0 },
    });
    const done = await operation.by.post(operation.path, operation.body);
    expect([done.status >= 400, done.body.error]).toEqual([true, refusal]);
  });

  it('shows who goes below zero first, and the others by what moves', async () => {
    for (const [reference, balance] of [
      ['poor', 5],
      ['small', 100],
      ['rich', 1_000],
    ] as const)
      await business.user(reference, balance);
    const more = { wager_reference: 'order' };
    for (const [reference, amount] of [
      ['poor', 5],
      ['small', 1],
      ['rich', 7],
    ] as const) {
      const { bet_id } = ok(await business.make(reference, amount, 2, more)).data;
      ok(await business.accept('bettor-0', amount, { ...more, wager_reference: 'order', bet_id }));
    }
    ok(await business.client.post('/transactions/withdraw', { user_reference: 'small', amount: 99 }));
    await api.database.query(`UPDATE balances SET balance = balance - 1000000 FROM users u
      WHERE u.account_id = balances.account_id AND u.id = user_id AND u.reference = 'poor'`);
    try {
      const shown = await previewOf(decide('order', 'loss'));
      expect(shown.largest.map(({ reference }: { reference: string }) => reference)).toEqual([
        ...['poor', 'bettor-0', 'rich', 'small'],
      ]);
      expect(shown).toMatchObject({ users: { affected: 4, below_zero: 1 }, moved: { credit: 13, debit: 13 } });
      expect(shown.largest[0]).toMatchObject({ balance: 4, balance_after: -1, exposure: 5, exposure_after: 0 });
    } finally {
      await api.database.query(`UPDATE balances SET balance = balance + 1000000 FROM users u
        WHERE u.account_id = balances.account_id AND u.id = user_id AND u.reference = 'poor'`);
    }
  });

  it('is exact when the wager takes no offers, and names its revision', async () => {
    const { bet_id } = ok(await business.make('bettor-1', 2, 3, { wager_reference: 'revised' })).data;
    const first = await previewOf(decide('revised', 'win'));
    expect(first).toMatchObject({ exact: false, revision: 0 });
    ok(await business.accept('bettor-2', 2, { wager_reference: 'revised', bet_id }));
    expect(await previewOf(decide('revised', 'win'))).toMatchObject({ exact: false, revision: 0 });
    const steps = [
      override(bet_id, 'push'),
      decide('revised', 'win'),
      forceOverride(bet_id, null),
      force('revised', 'loss'),
    ];
    for (const [index, step] of steps.entries()) {
      ok(await step.by.post(step.path, step.body), step.path.startsWith('/bets/update') ? 201 : 200);
      expect(await previewOf(force('revised', 'void'))).toMatchObject({ exact: index > 0, revision: index + 1 });
    }
    expect(new Date(first.as_of).getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('is for those who may do it, and an account is told of an admin who looks', async () => {
    const refused = await business.client.post('/previews', { operation: force('wager-1', 'win').preview });
    expect([refused.status, refused.body.error]).toEqual([403, 'Only admin accounts may do this']);
    const { id } = await previewOf(force('wager-1', 'win'));
    expect((await business.client.get(`/previews/${id}`)).status).toBe(404);
    expect((await admin.client.get(`/previews/${id}`)).status).toBe(200);
    const told = await waitFor(async () => {
      const { data } = ok(await business.client.get('/account-events'), 200);
      return data.find(
        ({ type, after }: { type: string; after: { route?: string } | null }) =>
          type === 'admin-read' && after?.route === 'POST /previews',
      );
    });
    expect(told.actor).toMatchObject({ type: 'admin', account_id: admin.id });
  });

  it.each([
    [{}, 'operation should not be empty'],
    [{ operation: { type: 'fund_user' } }, 'operation.type must be one of the following values'],
    [{ operation: { type: 'update_wager_outcome', reference: 'x' } }, 'operation.outcome'],
    [{ operation: { type: 'update_wager_outcome', reference: 'x', outcome: 'win', bound: 1 } }, 'bound'],
    [{ operation: { type: 'set_active', bet_id: 1.5 } }, 'operation.bet_id must be an integer number'],
  ])('refuses %j', async (body, text) => {
    const answer = await admin.client.post('/previews', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message.join('; ')).toContain(text);
  });

  it('pages through all its users', async () => {
    const references = Array.from({ length: 120 }, (_, index) => `crowd-${index}`);
    for (const reference of references) {
      await business.user(reference, 10);
      ok(await business.make(reference, 1, 2, { wager_reference: 'crowd' }));
    }
    const operation = decide('crowd', 'win');
    const { id, users, largest } = await previewOf(operation);
    expect([users, largest.length]).toEqual([{ affected: 120, below_zero: 0 }, 20]);
    const all = await usersOf(operation, id);
    expect(all.map(({ reference }) => reference).sort()).toEqual(references.sort());
    expect(all.slice(0, 20)).toEqual(largest);
    expect(ok(await business.client.get(`/previews/${id}/users?cursor=2`), 200)).toEqual({ data: [], next: null });
    expect((await business.client.get(`/previews/${id}/users?cursor=x`)).status).toBe(400);
  });
});
