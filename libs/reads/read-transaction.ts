import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { identityOfReference, isOfLedger, referenceColumn } from '#ledger/transaction-reference.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { ShownTransaction, TransactionKey } from './transaction.js';

export const transactionColumns = Prisma.sql`t.account_id AS "accountId", t.id, t.user_id AS "userId",
  u.reference AS "userReference", ${referenceColumn} AS reference, t.amount, t.description, t.transaction_type AS "transactionType",
  t.transaction_source AS "transactionSource", t.bet_trail_id AS "betTrailId", t.created_at AS "createdAt",
  t.balance_after AS "balanceAfter", label.own_reference AS "ownReference", label.meta`;

/** The label of a transaction `t`. A transaction of a bet has none: for it no index is asked. */
export const labelJoin = `LEFT JOIN movement_labels label ON label.account_id = t.account_id
   AND label.transaction_id = CASE WHEN t.bet_trail_id IS NULL THEN t.id END`;

/** The tables that `transactionColumns` needs beside transactions `t`. */
export const transactionJoins = Prisma.sql`JOIN users u ON u.account_id = t.account_id AND u.id = t.user_id
  ${Prisma.raw(labelJoin)}`;

/** The change of the user's balance by transaction `t`. */
export const received = Prisma.sql`CASE t.transaction_type WHEN 'credit' THEN t.amount WHEN 'debit' THEN -t.amount ELSE 0 END`;

/** The two kinds of references differ in their form. */
function isNamed(accountId: bigint, key: TransactionKey): Prisma.Sql {
  if ('id' in key) return Prisma.sql`t.id = ${key.id}`;
  if (!isOfLedger(key.reference)) return hasOwnReference(Prisma.sql`t.id`, accountId, key.reference);
  const identity = identityOfReference(key.reference);
  if (identity === undefined) throw new Refusal('transaction-not-found');
  return Prisma.sql`t.id = ${identity.id} AND t.created_at = ${identity.createdAt}::timestamptz`;
}

/** Of the id of a transaction. */
export const hasOwnReference = (id: Prisma.Sql, accountId: bigint, ownReference: string): Prisma.Sql =>
  Prisma.sql`${id} = (SELECT named.transaction_id FROM movement_labels named
    WHERE named.account_id = ${accountId} AND named.own_reference = ${ownReference})`;

const statementOf = (key: TransactionKey): string => {
  if ('id' in key) return 'transaction';
  return isOfLedger(key.reference) ? 'transaction by reference' : 'transaction by own reference';
};

export async function readTransaction(
  tables: AccountTables | Tx,
  accountId: bigint,
  key: TransactionKey,
): Promise<ShownTransaction> {
  const [row] = await queryRows<ShownTransaction & { readonly logHead: string | null }>(
    tables,
    Prisma.sql`${preparedAs(statementOf(key))}
    SELECT ${transactionColumns}, ${logHeadOf(accountId)} AS "logHead" FROM transactions t ${transactionJoins}
     WHERE t.account_id = ${accountId} AND ${isNamed(accountId, key)}`,
  );
  if (row === undefined) throw new Refusal('transaction-not-found');
  const { logHead: head, ...transaction } = row;
  noteAsOf(tables, { accountId, head });
  return transaction;
}
