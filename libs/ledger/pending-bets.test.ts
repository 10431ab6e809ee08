import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isPending } from '#core/impact.js';
import { type Outcome, outcomes } from '#core/records.js';
import { type Database, openDatabase, Prisma, withTx } from '#platform/database/database.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { NOTHING } from './group-request.js';
import { callOf, loadGroup } from './load-group.js';
import { countPendingUnder } from './pending-bets.js';

const BETS = 6_000;
const SETTLED_BETS = 50_000;

let environments: TestEnvironment[] = [];
/** One wager is most of its account, with bets in every state that a bet can be in. */
let database: Database;
/** All bets are of one wager, matched and not settled. */
let onlyMatched: Database;
/** All bets are of one wager, and settled. */
let settled: Database;

const settledWords = outcomes.map((outcome) => (outcome === 'undecided' ? 'NULL' : `'${outcome}'`)).join(', ');

async function openWith(environment: TestEnvironment, bets: string, count = BETS): Promise<Database> {
  await environment.database.query(`
    INSERT INTO accounts (name, email) VALUES ('a', 'a@example.com');
    INSERT INTO users (account_id, reference, name) VALUES (1, 'ann', 'Ann'), (1, 'bob', 'Bob');
    INSERT INTO wagers (account_id, reference) VALUES (1, 'large'), (1, 'small');
    INSERT INTO bets (account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
        offer_status, accepting_user_id, effective_odds, effective_amount, settled_outcome, override_outcome, is_active)
      ${bets} FROM generate_series(1, ${count}) n`);
  await environment.database.query('VACUUM ANALYZE');
  return openDatabase({ url: environment.database.url, connections: 1, onConnectionError: () => undefined });
}

beforeAll(async () => {
  const [first, second, third] = await Promise.all([
    createTestEnvironment(),
    createTestEnvironment(),
    createTestEnvironment(),
  ]);
  environments = [first, second, third];
  database = await openWith(
    first,
    `SELECT 1, CASE WHEN n % 50 = 0 THEN 2 ELSE 1 END, 1, 2000000, 1000000, n,
            CASE WHEN n % 7 = 0 THEN 'requesting' WHEN n % 7 = 1 THEN 'expired' WHEN n % 7 = 2 THEN 'canceled'
                 ELSE 'accepted' END,
            CASE WHEN n % 7 > 2 THEN 2 END, CASE WHEN n % 7 > 2 THEN 2000000 END, CASE WHEN n % 7 > 2 THEN 1000000 END,
            CASE WHEN n % 7 > 3 THEN (ARRAY[${settledWords}])[1 + n / 7 % 7] END, NULL, TRUE`,
  );
  onlyMatched = await openWith(
    second,
    `SELECT 1, 1, 1, 2000000, 1000000, n, 'accepted', 2, 2000000, 1000000, NULL, NULL, TRUE`,
  );
  settled = await openWith(
    third,
    `SELECT 1, 1, 1, 2000000, 1000000, n, 'accepted', 2, 2000000, 1000000, 'win', NULL, TRUE`,
    SETTLED_BETS,
  );
  await third.database.query(`UPDATE wagers SET outcome = 'win', settled_up_to = ${SETTLED_BETS} WHERE id = 1`);
});

afterAll(async () => {
  await Promise.all([database?.disconnect(), onlyMatched?.disconnect(), settled?.disconnect()]);
  await Promise.all(environments.map((environment) => environment.close()));
});

const load = (outcome: Outcome, limit: number) =>
  withTx(database.of(1n), async (tx) => {
    const wanted = { accountId: 1n, wagerId: 1n, wagerReference: null, outcome, voidFrom: null, bound: limit };
    const { bets } = await loadGroup(tx, callOf({ ...NOTHING, pending: [wanted] }, 'skip'));
    return bets.map(({ bet }) => bet);
  });

describe('the bets that are pending for an outcome', () => {
  it.each(outcomes)('are all loaded, and they alone: %s', async (outcome) => {
    const loaded = await load(outcome, BETS);
    const counted = await countPendingUnder(database.of(1n), {
      accountId: 1n,
      reference: 'large',
      outcome,
      voidMatchedAfter: null,
    });
    expect(counted).toBeGreaterThan(1_000);
    expect(loaded).toHaveLength(counted);
    expect(new Set(loaded.map(({ id }) => id)).size).toBe(counted);
    expect(loaded.filter((bet) => !isPending(bet, { outcome, voidFrom: null }))).toEqual([]);
    expect(await load(outcome, 700)).toHaveLength(700);
  });
});

/** How many pages of the database `load_group` reads for the first pending bets of the large wager. */
async function pagesRead(from: Database, outcome: Outcome, rows = 20): Promise<number> {
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
    SELECT * FROM load_group(false, p_pending => ARRAY[ROW(1, 1, NULL, '${outcome}', NULL, 20)::wanted_pending])`;
  // The first call in a connection reads the catalog too.
  await from.of(1n).$queryRaw(Prisma.raw(explain));
  const [row] = await from
    .of(1n)
    .$queryRaw<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }[]>(Prisma.raw(explain));
  const plan = row?.['QUERY PLAN'][0].Plan;
  expect(plan?.['Actual Rows']).toBe(rows);
  return Number(plan?.['Shared Hit Blocks']);
}

describe('the first of many pending bets', () => {
  it.each(['win', 'undecided'] as const)('are found in an index: %s', async (outcome) => {
    const rows = 20 + 1; // and the position of the requester
    expect(await pagesRead(database, outcome, rows)).toBeLessThan(40);
  });

  it('are found in an index where all bets are matched, of one wager', async () => {
    expect(await pagesRead(onlyMatched, 'win')).toBeLessThan(40);
  });
});

describe('where no bet of many is pending', () => {
  const mark = (outcome: Outcome, settledUpTo: number) => settled.of(1n).$executeRaw`
    UPDATE wagers SET outcome = ${outcome}, settled_up_to = ${settledUpTo} WHERE account_id = 1 AND id = 1`;

  it('a repeated decision reads nothing behind the mark', async () => {
    expect(await pagesRead(settled, 'win', 0)).toBeLessThan(20);
  });

  it('a decision examines the first bets, and says which one comes next', async () => {
    await mark('undecided', 0);
    // The row of the bet that comes next.
    expect(await pagesRead(settled, 'win', 1)).toBeLessThan(80);
    await withTx(settled.of(1n), async (tx) => {
      const wanted = {
        accountId: 1n,
        wagerId: 1n,
        wagerReference: null,
        outcome: 'win' as const,
        voidFrom: null,
        bound: 20,
      };
      const { bets, users, unexamined } = await loadGroup(tx, callOf({ ...NOTHING, pending: [wanted] }, 'skip'));
      expect({ bets, users, unexamined }).toEqual({ bets: [], users: [], unexamined: [{ betId: 1_001n, index: 0 }] });
    });
  });

  it('the bets behind the mark are examined, and a mark near the end leaves no other', async () => {
    await mark('win', SETTLED_BETS - 1_000);
    expect(await pagesRead(settled, 'win', 0)).toBeLessThan(80);
  });
});
