import { Prisma, type Queryable } from '#platform/database/database.js';
import type { Transaction, TransactionKey } from './transaction.js';

export const transactionColumns = Prisma.sql`t.account_id AS "accountId", t.id, t.user_id AS "userId",
  u.reference AS "userReference", t.reference, t.amount, t.description, t.transaction_type AS "transactionType",
  t.transaction_source AS "transactionSource", t.bet_trail_id AS "betTrailId", t.created_at AS "createdAt"`;

/** What is joined to a transaction `t`. */
export const transactionSurroundings = Prisma.sql`JOIN users u ON u.account_id = t.account_id AND u.id = t.user_id`;

export async function findTransaction(
  database: Queryable,
  accountId: bigint,
  key: TransactionKey,
): Promise<Transaction | undefined> {
  const isIt = 'id' in key ? Prisma.sql`t.id = ${key.id}` : Prisma.sql`t.reference = ${key.reference}`;
  const rows = await database.$queryRaw<Transaction[]>`
    SELECT ${transactionColumns} FROM transactions t ${transactionSurroundings}
     WHERE t.account_id = ${accountId} AND ${isIt}`;
  return rows[0];
}

interface TrailKey {
  readonly accountId: bigint;
  readonly id: bigint;
}

/** In the order in which they were written. */
export async function findTransactionsOfTrails(
  database: Queryable,
  trails: readonly TrailKey[],
): Promise<Transaction[]> {
  return database.$queryRaw<Transaction[]>`
    SELECT ${transactionColumns}
      FROM unnest(${trails.map(({ accountId }) => accountId)}::bigint[], ${trails.map(({ id }) => id)}::bigint[])
           AS wanted (account_id, bet_trail_id)
      JOIN transactions t ON t.account_id = wanted.account_id AND t.bet_trail_id = wanted.bet_trail_id
      ${transactionSurroundings} ORDER BY t.id`;
}
