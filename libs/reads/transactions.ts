import type { Queryable } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Transaction, TransactionKey } from './transaction.js';
import { findTransaction } from './transaction-repository.js';

export async function readTransaction(
  database: Queryable,
  accountId: bigint,
  key: TransactionKey,
): Promise<Transaction> {
  const transaction = await findTransaction(database, accountId, key);
  if (transaction === undefined) throw new Refusal('transaction-unknown');
  return transaction;
}
