import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Outcome, outcomes } from '#core/outcome.js';
import { type Database, openDatabase, withTx } from '#platform/database/database.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { countPendingUnder, loadPending } from './pending-bets.js';

// One wager that is most of its account, with bets in every state that a bet can be in.

const BETS = 6_000;

let environment: TestEnvironment;
let database: Database;

const settledWords = outcomes.map((outcome) => (outcome === 'undecided' ? 'NULL' : `'${outcome}'`)).join(', ');

beforeAll(async () => {
  environment = await createTestEnvironment();
  database = openDatabase({ url: environment.database.url, connections: 1, onConnectionError: () => undefined });
  await environment.database.query(`
    INSERT INTO accounts (name, email, password_hash) VALUES ('a', 'a@example.com', 'x');
    INSERT INTO users (account_id, reference, name) VALUES (1, 'ann', 'Ann'), (1, 'bob', 'Bob');
    INSERT INTO wagers (account_id, reference) VALUES (1, 'large'), (1, 'small');
    INSERT INTO bets (account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
        offer_status, accepting_user_id, effective_odds, effective_amount, settled_outcome, override_outcome, is_active)
      SELECT 1, CASE WHEN n % 50 = 0 THEN 2 ELSE 1 END, 1, 2000000, 1000000, n,
             CASE WHEN n % 7 = 0 THEN 'requesting' WHEN n % 7 = 1 THEN 'expired' WHEN n % 7 = 2 THEN 'canceled'
                  ELSE 'accepted' END,
             CASE WHEN n % 7 > 2 THEN 2 END, CASE WHEN n % 7 > 2 THEN 2000000 END, CASE WHEN n % 7 > 2 THEN 1000000 END,
             CASE WHEN n % 7 > 3 THEN (ARRAY[${settledWords}])[1 + n / 7 % 7] END, NULL, TRUE
        FROM generate_series(1, ${BETS}) n`);
  await environment.database.query('VACUUM ANALYZE');
});

afterAll(async () => {
  await database?.$disconnect();
  await environment?.close();
});

const slice = (outcome: Outcome, limit: number) => ({ accountId: 1n, wagerId: 1n, outcome, limit }) as const;

describe('the bets that are pending for an outcome', () => {
  it.each(outcomes)('are all loaded, and they alone: %s', async (outcome) => {
    const loaded = await withTx(database, (tx) => loadPending(tx, [slice(outcome, BETS)]));
    const counted = await countPendingUnder(database, { accountId: 1n, reference: 'large', outcome });
    expect(counted).toBeGreaterThan(1_000);
    expect(loaded).toHaveLength(counted);
    expect(new Set(loaded.map(({ id }) => id)).size).toBe(counted);
    const some = await withTx(database, (tx) => loadPending(tx, [slice(outcome, 700)]));
    expect(some).toHaveLength(700);
  });

  it('are found in the index by state, also when one wager is most of its account', async () => {
    const [{ plan = [] } = {}] = await withTx(database, async (tx) => {
      await tx.$executeRawUnsafe(`SET LOCAL plan_cache_mode = 'force_generic_plan'`);
      await loadPending(tx, [slice('win', 10)]);
      const [prepared] = await tx.$queryRawUnsafe<{ name: string }[]>(
        `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%prepared: load pending bets%'`,
      );
      const rows = await tx.$queryRawUnsafe<Record<string, string>[]>(
        `EXPLAIN EXECUTE "${prepared?.name}" ('{1}', '{1}', '{win}', '{2000}')`,
      );
      return [{ plan: rows.map((row) => String(Object.values(row)[0])) }];
    });
    const scans = plan.filter((line) => /Scan .*bets/.test(line));
    expect(scans).toHaveLength(4);
    for (const scan of scans) expect(scan).toContain('bets_state_idx');
  });
});
