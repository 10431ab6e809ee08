import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isPending } from '#core/bet-state.js';
import { type Outcome, outcomes } from '#core/outcome.js';
import { type Database, openDatabase, withTx } from '#platform/database/database.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { loadGroup } from './load-group.js';
import { countPendingUnder } from './pending-bets.js';

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

const load = (outcome: Outcome, limit: number) =>
  withTx(database, async (tx) => {
    const wanted = { accountId: 1n, wagerId: 1n, wagerReference: null, outcome, limit };
    const request = { accountIds: [], wagers: [], bets: [], offers: [], users: [], named: [], keys: [], newBets: 0 };
    const { bets } = await loadGroup(tx, { ...request, pending: [wanted] }, 'skip');
    return bets.map(({ bet }) => bet);
  });

describe('the bets that are pending for an outcome', () => {
  it.each(outcomes)('are all loaded, and they alone: %s', async (outcome) => {
    const loaded = await load(outcome, BETS);
    const counted = await countPendingUnder(database, { accountId: 1n, reference: 'large', outcome });
    expect(counted).toBeGreaterThan(1_000);
    expect(loaded).toHaveLength(counted);
    expect(new Set(loaded.map(({ id }) => id)).size).toBe(counted);
    expect(loaded.filter((bet) => !isPending(bet, outcome))).toEqual([]);
    expect(await load(outcome, 700)).toHaveLength(700);
  });

  it('are found in the indexes by state, also when one wager is most of its account', async () => {
    const plan = await withTx(database, async (tx) => {
      // The settings of `load_group`, which calls the function.
      for (const setting of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) {
        await tx.$executeRawUnsafe(`SET LOCAL enable_${setting} = off`);
      }
      const [{ prosrc: sql = '' } = {}] = await tx.$queryRawUnsafe<{ prosrc: string }[]>(
        `SELECT prosrc FROM pg_proc WHERE proname = 'load_bets'`,
      );
      const body = (/RETURN QUERY (.*);\s*END/s.exec(sql)?.[1] ?? '').replaceAll(
        'p_pending',
        `'{"(1,1,,win,2000)"}'::wanted_pending[]`,
      );
      const query = body.replaceAll('p_bets', 'NULL::wanted_bet[]').replaceAll('p_offers', 'NULL::wanted_offers[]');
      const rows = await tx.$queryRawUnsafe<Record<string, string>[]>(`EXPLAIN ${query}`);
      return rows.map((row) => String(Object.values(row)[0]));
    });
    const scans = plan.filter((line) => /Scan .*bets/.test(line));
    expect(scans.filter((scan) => scan.includes('bets_state_idx'))).toHaveLength(4);
    expect(scans.filter((scan) => scan.includes('Seq Scan'))).toEqual([]);
  });
});
