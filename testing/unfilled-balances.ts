import type { TestDatabase } from './databases.js';

/** Makes transactions look as they did before they had `balance_after`. */
export async function emptyBalances(database: TestDatabase, condition = 'true'): Promise<void> {
  const known = 'transactions_balance_after_known';
  // One at a time, because Citus sends each to its nodes.
  for (const statement of [
    `ALTER TABLE transactions DROP CONSTRAINT ${known}`,
    'ALTER TABLE transactions DISABLE TRIGGER USER',
    `UPDATE transactions SET balance_after = NULL WHERE ${condition}`,
    'ALTER TABLE transactions ENABLE TRIGGER USER',
    `ALTER TABLE transactions ADD CONSTRAINT ${known} CHECK (balance_after IS NOT NULL) NOT VALID`,
  ]) {
    await database.query(statement);
  }
}
