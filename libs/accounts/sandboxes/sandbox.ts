import { randomUUID } from 'node:crypto';
import { Prisma, type SharedTables, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';

/** An account of a business in which its developers test: with keys and a clock of its own, and deleted whole. */
export interface Sandbox {
  readonly id: bigint;
  readonly name: string;
  /** Of its clock. */
  readonly now: Date;
  /** It is being deleted: nothing of it is used any more. */
  readonly isRemoved: boolean;
  readonly createdAt: Date;
}

/** Those that are being deleted count until their last row is gone: this bounds the rows. */
export const MAX_SANDBOXES = 5;

const columns = Prisma.sql`a.id, a.name, clock_timestamp() + a.clock_ahead * interval '1 microsecond' AS now,
  a.removed_since IS NOT NULL AS "isRemoved", a.created_at AS "createdAt"`;

/** The oldest first. */
export const listSandboxes = (tables: SharedTables | Tx, accountId: bigint): Promise<Sandbox[]> =>
  queryRows<Sandbox>(
    tables,
    Prisma.sql`SELECT ${columns} FROM accounts a WHERE a.sandbox_of = ${accountId} ORDER BY a.id`,
  );

/** No mail goes to such an address. */
const addressOf = () => `sandbox-${randomUUID()}@sandbox.invalid`;

/**
 * It counts money as its business does, and shares the quotas of its network. It has no people: nobody could approve anything,
 * or add a second factor.
 */
export async function insertSandbox(tx: Tx, accountId: bigint, name: string): Promise<Sandbox> {
  const [made] = await queryRows<Sandbox>(
    tx,
    Prisma.sql`
    INSERT INTO accounts AS a (name, email, sandbox_of, registered_from, preferences, currency, decimals)
    SELECT ${name}, ${addressOf()}, p.id, coalesce(p.registered_from, 'account ' || p.id),
           p.preferences - 'approvals' - 'require_second_factor', p.currency, p.decimals
      FROM accounts p WHERE p.id = ${accountId}
    RETURNING ${columns}`,
  );
  return made as Sandbox;
}

/** Locks it. Undefined: the business has no such sandbox. */
export async function lockSandbox(tx: Tx, accountId: bigint, id: bigint): Promise<Sandbox | undefined> {
  const [found] = await queryRows<Sandbox>(
    tx,
    Prisma.sql`
    SELECT ${columns} FROM accounts a WHERE a.id = ${id} AND a.sandbox_of = ${accountId} FOR NO KEY UPDATE`,
  );
  return found;
}

/** From the commit on no operation of the ledger begins in it. */
export const markRemoved = (tx: Tx, id: bigint): Promise<number> =>
  tx.$executeRaw`UPDATE accounts SET removed_since = transaction_timestamp(), updated_at = now() WHERE id = ${id}`;
