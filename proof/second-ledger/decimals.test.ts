import { expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { type Admin, ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import { factsFromLog, type LogEvent } from './facts-from-log.js';
import { pictureOf } from './picture.js';

// Accounts with decimals: the second ledger, which reads their log alone, against what the API shows.

const USERS = ['ann', 'bob', 'cat'] as const;
const OUTCOMES = ['win', 'loss', 'push', 'half-win', 'half-loss', 'void'] as const;
const ROUNDS = 25;

const api = withTestApi();

type Business = Awaited<ReturnType<typeof openTestBusiness>>;

/** Offers and acceptances of one wager, its outcome, and another one by an admin. */
async function playWager(business: Business, admin: Admin, random: SeededRandom, wager_reference: string) {
  const { decimals = 6 } = ok(await business.client.get('/auth/account/me'), 200).data;
  const amount = () => Number(((1 + random.below(40)) / 10 ** decimals).toFixed(decimals));
  const odds = () => 1 + random.below(3_000_000) / 1e6;
  const betIds: number[] = [];
  for (let offers = 0; offers < 3; offers += 1) {
    const made = await business.make(random.pick(USERS), amount(), Number(odds().toFixed(6)), { wager_reference });
    if (made.status === 201) betIds.push(made.body.data.bet_id);
    await business.accept(random.pick(USERS), amount(), { wager_reference });
  }
  await business.cancel(random.pick(USERS), { wager_references: [wager_reference], cancel_amount: amount() });
  await business.decide(random.pick(OUTCOMES), wager_reference);
  await business.override(random.pick(betIds as [number, ...number[]]), random.pick(OUTCOMES));
  if (random.happens(0.5)) return;
  const { id: account_id } = ok(await business.client.get('/auth/account/me'), 200).data;
  const forced = { account_id, wager_reference, outcome: random.pick(OUTCOMES) };
  await admin.client.post('/admin/wagers/force-update-outcome', forced);
}

async function logOf({ client }: Business): Promise<LogEvent[]> {
  const all: LogEvent[] = [];
  for (let after = ''; ; ) {
    const page = ok(await client.get(`/events?limit=1000${after}`), 200);
    all.push(...page.data);
    if (!page.has_more) return all;
    after = `&after=${page.next}`;
  }
}

it.each([0, 2, 6, null])('with %p decimals both ledgers agree, and the books balance', async (decimals) => {
  const random = createSeededRandom(testSeed + (decimals ?? 7));
  const business = await openTestBusiness(api.client);
  const admin = await registerAdmin(api.client, api.database);
  if (decimals !== null) ok(await business.client.patch('/auth/account/money', { decimals }), 200);
  for (const name of USERS) await business.user(name);
  for (let round = 0; round < ROUNDS; round += 1) await playWager(business, admin, random, `wager-${round}`);
  const { items } = ok(await business.client.get('/account/user?per_page=100'), 200).data;
  const picture = pictureOf(factsFromLog(await logOf(business)));
  const shown = items.map((user: Record<string, number>) => [user.id, user.balance, user.exposure].map(Number));
  const expected = picture.users.map(({ id, balance, exposure }) => [
    Number(id),
    Number(balance) / 1e6,
    Number(exposure) / 1e6,
  ]);
  expect(shown.map(String).toSorted()).toEqual(expected.map(String).toSorted());
  const unit = 10n ** BigInt(6 - (decimals ?? 6));
  expect(picture.users.filter(({ balance, exposure }) => balance % unit !== 0n || exposure % unit !== 0n)).toEqual([]);
  expect(picture.bets.filter(({ settledOutcome }) => settledOutcome !== null).length).toBeGreaterThan(ROUNDS / 2);
  const moved = picture.users.reduce((sum, { balance }) => sum + balance, 0n);
  expect(moved).toBe(BigInt(USERS.length) * 1_000_000_000n);
  await expectBooksToBalance(api.database);
});
