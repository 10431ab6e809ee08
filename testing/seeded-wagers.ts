import { seedWagers } from '#tools/bench/settlement-seed.js';
import type { TestDatabase } from './databases.js';

type Queryable = Pick<TestDatabase, 'query'>;

export interface SeededWagers {
  readonly accountId: number;
  readonly wagers?: number;
  readonly bets: number;
  readonly bettors?: number;
  /** The wagers are called `<name>1`, `<name>2`, … */
  readonly name: string;
}

/** Inserts bettors without money and accepted bets between them by SQL, because the API would take long. */
export async function seedAcceptedBets(
  database: Pick<TestDatabase, 'queryOf'>,
  { wagers = 1, bettors = 40, ...seed }: SeededWagers,
): Promise<void> {
  const run = (sql: string, values?: unknown[]) => database.queryOf(seed.accountId, sql, values);
  const rows = await run(
    `INSERT INTO users (account_id, reference, name)
     SELECT $1, $2 || ' bettor ' || n, 'Bettor' FROM generate_series(1, $3) n RETURNING id::float8`,
    [seed.accountId, seed.name, bettors],
  );
  const ids = rows.map(({ id }) => Number(id));
  await run(`INSERT INTO balances (account_id, user_id) SELECT $1, unnest($2::bigint[])`, [seed.accountId, ids]);
  await seedWagers(
    { query: async (sql) => (await run(sql)) as never[] },
    { ...seed, account: seed.accountId, wagers, users: { firstId: Math.min(...ids), count: bettors } },
  );
}

/**
 * Counts bets, settled bets, settlement entries and their transactions of a wager.
 * Keys go as arrays: PostgreSQL has no statistics of these rows yet, and would join them row by row.
 */
export async function settlementsOf(database: Queryable, reference: string): Promise<Record<string, unknown>> {
  const [bets] = await database.query(
    `SELECT b.account_id, count(*)::int AS bets, count(b.settled_outcome)::int AS settled, array_agg(b.id) AS ids
       FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
      WHERE w.reference = $1 GROUP BY b.account_id`,
    [reference],
  );
  const [entries] = await database.query(
    `SELECT count(DISTINCT id)::int AS entries, array_agg(id) AS ids FROM bet_trails
      WHERE account_id = $1 AND bet_id = ANY($2::bigint[]) AND description LIKE 'Bet settled%'`,
    [bets?.account_id, bets?.ids],
  );
  const [transactions] = await database.query(
    `SELECT count(*)::int AS movements FROM transactions WHERE account_id = $1 AND bet_trail_id = ANY($2::bigint[])`,
    [bets?.account_id, entries?.ids],
  );
  return { bets: bets?.bets, settled: bets?.settled, entries: entries?.entries, movements: transactions?.movements };
}

/** The number of settled bets of a wager, for polling: the counts above read all trail entries. */
export async function settledCount(database: Queryable, reference: string): Promise<number> {
  const [row] = await database.query(
    `SELECT count(*)::int AS settled FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
      WHERE w.reference = $1 AND b.settled_outcome IS NOT NULL`,
    [reference],
  );
  return Number(row?.settled);
}

export const settledOnce = (bets: number) => ({ bets, settled: bets, entries: bets, movements: 2 * bets });

export async function isSettling(database: Queryable, reference: string): Promise<boolean> {
  const rows = await database.query('SELECT 1 FROM wagers WHERE reference = $1 AND settling_since IS NOT NULL', [
    reference,
  ]);
  return rows.length > 0;
}
