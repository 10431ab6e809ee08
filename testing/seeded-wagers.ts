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
  database: Queryable,
  { wagers = 1, bettors = 40, ...seed }: SeededWagers,
): Promise<void> {
  const rows = await database.query(
    `INSERT INTO users (account_id, reference, name)
     SELECT $1, $2 || ' bettor ' || n, 'Bettor' FROM generate_series(1, $3) n RETURNING id::float8`,
    [seed.accountId, seed.name, bettors],
  );
  const ids = rows.map(({ id }) => Number(id));
  await database.query(`INSERT INTO balances (account_id, user_id) SELECT $1, unnest($2::bigint[])`, [
    seed.accountId,
    ids,
  ]);
  await seedWagers(
    // A pool of one connection: the seed is one transaction.
    { query: async (sql) => (await database.query(sql)) as never[] },
    { ...seed, account: seed.accountId, wagers, users: { firstId: Math.min(...ids), count: bettors } },
  );
}

/** Counts bets, settled bets, settlement entries and their transactions of a wager. */
export async function settlementsOf(database: Queryable, reference: string): Promise<Record<string, unknown>> {
  const [row] = await database.query(
    `SELECT count(*)::int AS bets, count(*) FILTER (WHERE settled_outcome IS NOT NULL)::int AS settled,
            coalesce(sum(entries), 0)::int AS entries, coalesce(sum(movements), 0)::int AS movements
       FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT t.id) AS entries, count(x.id) AS movements FROM bet_trails t
          LEFT JOIN transactions x ON x.account_id = t.account_id AND x.bet_trail_id = t.id
         WHERE t.account_id = b.account_id AND t.bet_id = b.id AND t.description LIKE 'Bet settled%') settlements
      WHERE w.reference = $1`,
    [reference],
  );
  return row ?? {};
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
