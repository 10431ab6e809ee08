import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { createDatabase, type TestDatabase } from '#testing/databases.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';
import { type CeilingName, createCeilingFunctions, createLeanTables, measureCeiling } from './ceiling.js';
import type { BenchDatabase } from './database.js';
import { seedAccounts, topUpOffers } from './seed.js';
import { ACCOUNTS, USERS } from './seeded-data.js';
import { seedWagers, topUpSmallWagers } from './settlement-seed.js';

/** The account of the large wager, which has no other bets. */
const SETTLED = ACCOUNTS + 1;

/** 32 clients take 480 of the 600 wagers. */
const BRIEF = { seconds: 20, transactions: 15, accounts: 1 };

let environment: TestEnvironment;
let database: BenchDatabase;
let leanTest: TestDatabase;
let lean: BenchDatabase;

const benchDatabase = ({ name, url, query }: TestDatabase): BenchDatabase => ({
  ...{ name, url, query: query as BenchDatabase['query'], close: async () => undefined },
});

beforeAll(async () => {
  environment = await createTestEnvironment();
  database = benchDatabase(environment.database);
  await seedAccounts(database, SETTLED);
  await createCeilingFunctions(database);
  await topUpOffers(database, 1, 10);
  await topUpSmallWagers(database, ACCOUNTS, 60);
});

afterAll(async () => {
  await leanTest?.drop();
  await environment?.close();
});

describe('the ceilings', () => {
  it.each<CeilingName>(['make', 'accept', 'mixed', 'decide'])('of %s leave books that balance', async (name) => {
    const { rate } = await measureCeiling({ ...BRIEF, database, name });
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

/** Rows of the lean tables that do not agree with each other; the product's audit does not know these tables. */
const LEAN_FAULTS = `
  SELECT 'exposure of ' || u.id AS fault FROM users u
    LEFT JOIN (SELECT account_id, user_id, sum(greatest(0, -win, offered - loss)) AS worst FROM positions
                GROUP BY account_id, user_id) p ON p.account_id = u.account_id AND p.user_id = u.id
    WHERE u.exposure <> coalesce(p.worst, 0)
  UNION ALL
  SELECT 'offered by ' || p.user_id FROM positions p
    LEFT JOIN (SELECT account_id, requesting_user_id, wager_id, sum(requesting_amount) AS open FROM bets
                WHERE offer_status = 'requesting' GROUP BY account_id, requesting_user_id, wager_id) b
      ON b.account_id = p.account_id AND b.requesting_user_id = p.user_id AND b.wager_id = p.wager_id
    WHERE p.offered <> coalesce(b.open, 0)
  UNION ALL
  SELECT 'positions of account ' || account_id FROM positions GROUP BY account_id
    HAVING sum(win) <> 0 OR sum(loss) <> 0
  UNION ALL
  SELECT 'trail of bet ' || b.id FROM bets b JOIN bet_trails t ON t.account_id = b.account_id AND t.bet_id = b.id
    GROUP BY b.account_id, b.id, b.offer_status
    HAVING count(*) <> CASE WHEN b.offer_status IN ('requesting', 'settled') THEN 1 ELSE 2 END`;

describe('the lean ceilings', () => {
  beforeAll(async () => {
    leanTest = await createDatabase(environment.database.url);
    lean = benchDatabase(leanTest);
    await createLeanTables(lean);
    await lean.query('SELECT lean_top_up(1, $1, 10)', [USERS]);
  });

  it.each<CeilingName>(['lean-make', 'lean-accept', 'lean-mixed'])(
    'of %s keep the lean rows in agreement',
    async (name) => {
      const { rate } = await measureCeiling({ ...BRIEF, database: lean, name, clients: 4 });
      expect(rate).toBeGreaterThan(0);
      expect(await lean.query(LEAN_FAULTS)).toEqual([]);
    },
  );

  it('of a settlement settle every bet, with a credit and a debit', async () => {
    await lean.query('SELECT lean_seed_large(2, $1, $2, 300)', ['large1', USERS]);
    await lean.query('SELECT lean_settle(2, $1)', ['large1']);
    const [counts] = await lean.query(
      `SELECT (SELECT count(*)::int FROM bets WHERE account_id = 2 AND offer_status = 'settled') AS settled,
              count(*)::int AS moved, sum(CASE transaction_type WHEN 'credit' THEN amount ELSE -amount END)::int AS sum,
              (SELECT sum(balance - 1000000000)::int FROM users WHERE account_id = 2) AS gained
         FROM transactions WHERE account_id = 2`,
    );
    expect(counts).toEqual({ settled: 300, moved: 600, sum: 0, gained: 0 });
    expect(await lean.query(LEAN_FAULTS)).toEqual([]);
  });
});
