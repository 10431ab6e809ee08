import type { TestDatabase } from './databases.js';

export interface SeededTransactions {
  readonly accountId: number;
  readonly userId: number;
  readonly count: number;
  /** ISO 8601. */
  readonly day: string;
}

/** Inserts fundings of one day by SQL, a millisecond apart; the balance stays. */
export async function seedTransactions(
  database: Pick<TestDatabase, 'query'>,
  { accountId, userId, count, day }: SeededTransactions,
): Promise<void> {
  await database.query(
    `INSERT INTO transactions (account_id, user_id, amount, description, transaction_type,
                               transaction_source, balance_after, created_at)
     SELECT $1, $2, n, 'Seeded', 'credit', 'funding', n::bigint * (n + 1) / 2,
            $4::timestamptz + n * interval '1 ms'
       FROM generate_series(1, $3::int) n`,
    [accountId, userId, count, day],
  );
}
