import { beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '#testing/databases.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import type { BenchDatabase } from './database.js';
import { type LeanCeiling, openLeanCeiling } from './lean-ceiling.js';

const USERS = 1_000;

const environment = withTestEnvironment(async () => database?.drop());
let database: TestDatabase;
let ceiling: LeanCeiling;

beforeAll(async () => {
  database = await createDatabase(environment.database.url);
  const { name, url, query } = database;
  const lean = { name, url, query: query as BenchDatabase['query'], close: async () => undefined };
  ceiling = await openLeanCeiling(lean, { seconds: 0.5 });
});

/** Rows of the lean tables that do not agree with each other; the product's audit does not know these tables. */
const FAULTS = `
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

describe('the lean ceiling', () => {
  it('makes and accepts offers, and keeps its rows in agreement', async () => {
    await database.query('SELECT lean_top_up($1, 3)', [USERS]);
    for (const user of [1, 2, 3]) {
      await database.query(`SELECT lean_make(1, $1, 'w1', 1.5, 10)`, [user]);
      await database.query(`SELECT lean_accept(1, $1, 'w1')`, [user]);
    }
    const [counts] = await database.query(
      `SELECT count(*)::int AS bets, count(*) FILTER (WHERE offer_status = 'accepted')::int AS accepted FROM bets`,
    );
    expect(counts).toEqual({ bets: 3_003, accepted: 3 });
    expect(await database.query(FAULTS)).toEqual([]);
  });

  it('settles every bet, with a credit and a debit', async () => {
    expect(await ceiling.settlementRate(300)).toBeGreaterThan(0);
    const [counts] = await database.query(
      `SELECT (SELECT count(*)::int FROM bets WHERE offer_status = 'settled') AS settled,
              count(*)::int AS moved, sum(CASE transaction_type WHEN 'credit' THEN amount ELSE -amount END)::int AS sum
         FROM transactions`,
    );
    expect(counts).toEqual({ settled: 300, moved: 600, sum: 0 });
    expect(await database.query(FAULTS)).toEqual([]);
  });
});
