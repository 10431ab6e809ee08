import { Prisma, type Queryable, type Tx } from '#platform/database/database.js';
import type { Account, AccountChanges } from './account.js';

export const accountColumns = Prisma.sql`a.id, a.name, a.email, a.role, a.email_verified_at AS "emailVerifiedAt",
  a.api_key_generated_at AS "apiKeyGeneratedAt", a.preferences, a.created_at AS "createdAt",
  a.updated_at AS "updatedAt"`;

export async function findAccount(database: Queryable, id: bigint): Promise<Account | undefined> {
  const rows = await database.$queryRaw<Account[]>`SELECT ${accountColumns} FROM accounts a WHERE a.id = ${id}`;
  return rows[0];
}

/** The admins, held until the transaction ends: of two that would be the last, one has to wait and see. */
export async function lockAdmins(tx: Tx): Promise<bigint[]> {
  const rows = await tx.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM accounts WHERE role = 'admin' ORDER BY id FOR NO KEY UPDATE`;
  return rows.map(({ id }) => id);
}

export async function updateAccount(
  tx: Tx,
  id: bigint,
  { name, preferences, role }: AccountChanges,
): Promise<Account | undefined> {
  const changes = [Prisma.sql`updated_at = now()`];
  if (name !== undefined) changes.push(Prisma.sql`name = ${name}`);
  if (preferences !== undefined) changes.push(Prisma.sql`preferences = ${JSON.stringify(preferences)}::jsonb`);
  if (role !== undefined) changes.push(Prisma.sql`role = ${role}`);
  const rows = await tx.$queryRaw<Account[]>`
    UPDATE accounts a SET ${Prisma.join(changes, ', ')} WHERE a.id = ${id} RETURNING ${accountColumns}`;
  return rows[0];
}
