import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { identityOfReference, referenceColumn } from '#ledger/transaction-reference.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { ShownTransaction, TransactionKey } from './transaction.js';

export const transactionColumns = Prisma.sql`t.account_id AS "accountId", t.id, t.user_id AS "userId",
  u.reference AS "userReference", ${referenceColumn} AS reference, t.amount, t.description, t.transaction_type AS "transactionType",
  t.transaction_source AS "transactionSource", t.bet_trail_id AS "betTrailId", t.created_at AS "createdAt",
  t.balance_after AS "balanceAfter"`;

/** The table that `transactionColumns` needs beside transactions `t`. */
export const transactionJoins = Prisma.sql`JOIN users u ON u.account_id = t.account_id AND u.id = t.user_id`;

export async function readTransaction(
  tables: AccountTables | Tx,
  accountId: bigint,
  key: TransactionKey,
): Promise<ShownTransaction> {
  const identity = 'id' in key ? { id: key.id, createdAt: null } : identityOfReference(key.reference);
  if (identity === undefined) throw new Refusal('transaction-unknown');
  const { id, createdAt } = identity;
  const [row] = await queryRows<ShownTransaction & { readonly logHead: string | null }>(
    tables,
    Prisma.sql`${preparedAs('transaction')}
    SELECT ${transactionColumns}, ${logHeadOf(accountId)} AS "logHead" FROM transactions t ${transactionJoins}
     WHERE t.account_id = ${accountId} AND t.id = ${id}
       AND t.created_at = coalesce(${createdAt}::timestamptz, t.created_at)`,
  );
  if (row === undefined) throw new Refusal('transaction-unknown');
  const { logHead: head, ...transaction } = row;
  noteAsOf(tables, { accountId, head });
  return transaction;
}
