import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';
import { type CeilingName, createCeilingFunctions, measureCeiling } from './ceiling.js';
import type { BenchDatabase } from './database.js';
import { seedAccounts, topUpOffers } from './seed.js';
import { ACCOUNTS } from './seeded-data.js';
import { seedWagers, topUpSmallWagers } from './settlement-seed.js';

// Seeding takes some seconds, on a machine shared with other tests.
jest.setTimeout(60_000);

/** The account of the large wager, which has no other bets. */
const SETTLED = ACCOUNTS + 1;

let environment: TestEnvironment;
let database: BenchDatabase;

beforeAll(async () => {
  environment = await createTestEnvironment();
  const { url, query } = environment.database;
  database = { name: 'ceilings', url, query: query as BenchDatabase['query'], close: async () => undefined };
  await seedAccounts(database, SETTLED);
  await createCeilingFunctions(database);
  await topUpOffers(database, 1, 10);
  await topUpSmallWagers(database, ACCOUNTS, 60);
});

afterAll(() => environment?.close());

describe('the ceilings', () => {
  it.each<CeilingName>(['make', 'accept', 'mixed', 'decide'])('of %s leave books that balance', async (name) => {
    const { rate } = await measureCeiling({ database, name, seconds: 0.2, accounts: 1 });
    expect(rate).toBeGreaterThan(0);
    await database.query(COUNT_TOTALS);
    await expectBooksToBalance(environment.database);
  });

  it('of a settlement leave books that balance', async () => {
    await seedWagers(database, { account: SETTLED, wagers: 1, bets: 300, name: 'large' });
    await database.query('SELECT bench_settle($1, $2)', [SETTLED, 'large1']);
    const [counts] = await database.query(
      `SELECT count(*)::int AS bets, count(settled_outcome)::int AS settled FROM bets b
         JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id WHERE w.reference = 'large1'`,
    );
    expect(counts).toEqual({ bets: 300, settled: 300 });
    await database.query(COUNT_TOTALS);
    await expectBooksToBalance(environment.database);
  });
});
