import pg from 'pg';
import { countLockWaits, type TestDatabase } from './databases.js';

/** Another transaction that holds the end of an account's log. */
export interface HeldLog {
  /** How many connections wait for a lock where the account's rows are. */
  waits(): Promise<number>;
  /** Commits it. */
  release(): Promise<void>;
  /** Ends its connection. */
  close(): Promise<void>;
}

export async function holdLog(database: TestDatabase, accountId: number): Promise<HeldLog> {
  const { url, enter } = await database.placeOf(accountId);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`BEGIN; ${enter}`);
  await client.query('SELECT FROM event_heads WHERE account_id = $1 FOR UPDATE', [accountId]);
  return {
    waits: () => countLockWaits({ query: (sql) => database.queryOf(accountId, sql) }),
    release: async () => void (await client.query('COMMIT')),
    close: () => client.end(),
  };
}
