import type { Micros } from '#core/money.js';
import type { TransactionSource } from '#core/records.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { queryRows, texts } from '#platform/database/statements.js';
import type { NewUser } from './user.js';
import type { CreatedUser } from './user-repository.js';

// The statements of an import: each is for all users of a chunk.

export type NamedUser = NewUser & { readonly reference: string };

export interface FoundUser extends CreatedUser {
  readonly name: string;
}

/**
 * Inserts those users whose references are free, with their balances. It waits for users that others are inserting, in the order
 * of the references.
 */
export const insertNewUsers = (tx: Tx, accountId: bigint, users: readonly NamedUser[]): Promise<FoundUser[]> =>
  queryRows<FoundUser>(
    tx,
    Prisma.sql`
    WITH created AS (
      INSERT INTO users (account_id, reference, name, preferences, meta)
      SELECT ${accountId}::bigint, given.reference, given.name, given.preferences, given.meta
        FROM jsonb_to_recordset(${JSON.stringify(users)}::jsonb) AS given (reference text, name text, preferences jsonb, meta jsonb)
       ORDER BY given.reference COLLATE "C"
      ON CONFLICT (account_id, reference) DO NOTHING
      RETURNING account_id, id, reference, name, created_at
    ), with_balance AS (
      INSERT INTO balances (account_id, user_id) SELECT account_id, id FROM created
    )
    SELECT id, reference, name, created_at AS "createdAt" FROM created`,
  );

export const findUsers = (tx: Tx, accountId: bigint, references: readonly string[]): Promise<FoundUser[]> =>
  queryRows<FoundUser>(
    tx,
    Prisma.sql`
    SELECT u.id, u.reference, u.name, u.created_at AS "createdAt" FROM users u
     WHERE u.account_id = ${accountId} AND u.reference = ANY (${texts(references)}::text[])`,
  );

export interface FoundFunds {
  readonly id: bigint;
  readonly userId: bigint;
  readonly ownReference: string;
  readonly amount: Micros;
  readonly source: TransactionSource;
  readonly balanceAfter: Micros;
  readonly createdAt: Date;
}

export const findFunds = (tx: Tx, accountId: bigint, ownReferences: readonly string[]): Promise<FoundFunds[]> =>
  queryRows<FoundFunds>(
    tx,
    Prisma.sql`
    SELECT t.id, t.user_id AS "userId", label.own_reference AS "ownReference", t.amount, t.transaction_source AS source,
           t.balance_after AS "balanceAfter", t.created_at AS "createdAt"
      FROM movement_labels label
      JOIN transactions t ON t.account_id = label.account_id AND t.id = label.transaction_id
     WHERE label.account_id = ${accountId} AND label.own_reference = ANY (${texts(ownReferences)}::text[])`,
  );
