import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import type { TestClient } from '#testing/client.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { readLedgerState, whatHappened } from '#testing/what-happened.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

const api = withTestApi();
const random = createSeededRandom(testSeed);
const MICROS = 1_000_000;
const BETS = 500;
const BETTORS = Array.from({ length: 12 }, (_, index) => `bettor-${index}`) as [string, ...string[]];
const WAGERS = Array.from({ length: 10 }, (_, index) => `wager-${index}`) as [string, ...string[]];
const OUTCOMES = ['win', 'half-win', 'push', 'void', 'half-loss', 'loss', 'undecided'] as const;
const DECIDED = OUTCOMES.slice(0, -1) as unknown as readonly ['win', ...string[]];

let business: TestBusiness;
let admin: Admin;
let accountId: number;

interface Operation {
  readonly by: TestClient;
  readonly preview: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly body: object;
}

const own = (type: string, path: string, fields: object): Operation => ({
  ...{ by: business.client, path, body: fields },
  preview: { type, ...fields },
});
const decide = (reference: string, outcome: string) =>
  own('update_wager_outcome', '/bets/update-wager-outcome', { reference, outcome });
const override = (bet_id: number, override_outcome: string) =>
  own('override_bet_outcome', '/bets/override-outcome', { bet_id, override_outcome });

const byAdmin = (type: string, path: string, fields: object): Operation => ({
  ...{ by: admin.client, path, body: { account_id: accountId, ...fields } },
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

const ofBet = (id: number): Operation =>
  random
    .pickWeighted<{ weight: number; make: () => Operation }>([
      { weight: 4, make: () => override(id, random.pick(OUTCOMES)) },
      { weight: 3, make: () => forceOverride(id, random.pick([null, ...OUTCOMES])) },
      { weight: 2, make: () => setActive(id, random.happens(0.5)) },
    ])
    .make();
const ofWager = (reference: string): Operation =>
  random.happens(0.3) ? decide(reference, random.pick(DECIDED)) : force(reference, random.pick(OUTCOMES));

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
      ...{ would_succeed: false, refusal: done.body.error, counts: { affected: 0, below_zero: 0 } },
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
        ...{ ...acceptance, accepting_user_reference: random.pick(BETTORS) },
      });
    }
  }
  return ids;
}

beforeAll(async () => {
  business = await openTestBusiness(api.client);
  admin = await registerAdmin(api.client, api.database);
  await Promise.all(BETTORS.map((reference) => business.user(reference, 10_000)));
  const [row] = await api.database.query('SELECT id::int FROM accounts WHERE email = $1', [business.account.email]);
  accountId = Number(row?.id);
});

describe('a preview', () => {
  it('is what then happens, for 500 bets in random states', async () => {
    const ids = await makeBets();
    let done = 0;
    for (const [index, id] of random.shuffle(ids).entries()) {
      if (index % 10 === 0) await previewAndDo(ofWager(random.pick(WAGERS)));
      done += Number(await previewAndDo(ofBet(id)));
    }
    expect(done).toBeGreaterThan(BETS / 4);
    await expectBooksToBalance(api.database);
  }, 300_000);
});
