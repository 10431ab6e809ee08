import { Prisma, type SharedTables, type Tx } from '#platform/database/database.js';
import type { AccountStatus } from './access/access-repository.js';
import type { Account, AccountChanges } from './account.js';
import type { OperatorId } from './operators/operator.js';

export const accountColumns = Prisma.sql`a.id, a.name, a.email, a.role, a.status, a.email_verified_at AS "emailVerifiedAt",
  a.email_proved_at AS "emailProvedAt", a.api_key_generated_at AS "apiKeyGeneratedAt", a.preferences, a.currency, a.decimals,
  a.sandbox_of AS "sandboxOf", a.created_at AS "createdAt", a.updated_at AS "updatedAt"`;

export async function findAccount(tables: SharedTables | Tx, id: bigint): Promise<Account | undefined> {
  const rows = await tables.$queryRaw<Account[]>`SELECT ${accountColumns} FROM accounts a WHERE a.id = ${id}`;
  return rows[0];
}

/** Locks the account until the transaction ends, before its tokens and keys. */
export async function lockAccount(tx: Tx, id: bigint): Promise<Account | undefined> {
  const rows = await tx.$queryRaw<Account[]>`
    SELECT ${accountColumns} FROM accounts a WHERE a.id = ${id} FOR NO KEY UPDATE`;
  return rows[0];
}

/**
 * Locks all admins until the transaction ends, so that the last two cannot lose the role at the same time, and the account that
 * is to change: all in the order of ids, because a lock out of this order deadlocks with another change. Returns the admins
 * who are not suspended.
 */
export async function lockAdmins(tx: Tx, changedId: bigint): Promise<bigint[]> {
  const rows = await tx.$queryRaw<{ id: bigint; role: string; status: AccountStatus }[]>`
    SELECT id, role, status FROM accounts WHERE role = 'admin' OR id = ${changedId} ORDER BY id FOR NO KEY UPDATE`;
  return rows.filter(({ role, status }) => role === 'admin' && status === 'active').map(({ id }) => id);
}

export async function updateAccount(
  tx: Tx,
  id: bigint,
  { name, preferences, role, status, currency, decimals }: AccountChanges,
): Promise<Account | undefined> {
  const changes = [Prisma.sql`updated_at = now()`];
  if (name !== undefined) changes.push(Prisma.sql`name = ${name}`);
  if (preferences !== undefined) changes.push(Prisma.sql`preferences = ${JSON.stringify(preferences)}::jsonb`);
  if (role !== undefined) changes.push(Prisma.sql`role = ${role}`);
  if (status !== undefined) changes.push(Prisma.sql`status = ${status}`);
  if (currency !== undefined) changes.push(Prisma.sql`currency = ${currency}::text`);
  if (decimals !== undefined) changes.push(Prisma.sql`decimals = ${decimals}::smallint`);
  const rows = await tx.$queryRaw<Account[]>`
    UPDATE accounts a SET ${Prisma.join(changes, ', ')} WHERE a.id = ${id} RETURNING ${accountColumns}`;
  return rows[0];
}

export interface MailAccount {
  readonly id: bigint;
  readonly email: string;
  readonly emailProvedAt: Date | null;
}

/** Undefined: there is none, or it is a sandbox, which gets no mails. */
export async function findMailAccount(tables: SharedTables | Tx, id: bigint): Promise<MailAccount | undefined> {
  const account = await tables.run((prisma) =>
    prisma.account.findUnique({
      where: { id, sandboxOf: null },
      select: { id: true, email: true, emailProvedAt: true },
    }),
  );
  return account ?? undefined;
}

export interface NewAccount {
  readonly name: string;
  readonly email: string;
  /** Accounts of one network share quotas. */
  readonly registeredFrom: string;
}

/** Returns the new account's id, or undefined when the e-mail is taken. E-mails are compared without case. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<bigint | undefined> {
  const { name, email, registeredFrom } = account;
  const rows = await tx.$queryRaw<{ id: bigint }[]>`
    INSERT INTO accounts (name, email, registered_from)
    VALUES (${name}, ${email}, ${registeredFrom})
    ON CONFLICT (lower(email)) DO NOTHING RETURNING id`;
  return rows[0]?.id;
}

/** What was known of an account's e-mail address. */
export interface EmailState {
  readonly wasVerified: boolean;
  readonly wasProved: boolean;
}

/** Somebody who reads the mails of the address set the password. Returns what was known of the address before. */
export async function setAddressProved(tx: Tx, id: bigint, now: Date): Promise<EmailState> {
  const rows = await tx.$queryRaw<EmailState[]>`
    UPDATE accounts a SET updated_at = ${now},
           email_verified_at = coalesce(a.email_verified_at, ${now}), email_proved_at = coalesce(a.email_proved_at, ${now})
      FROM accounts before WHERE a.id = ${id} AND before.id = a.id
    RETURNING before.email_verified_at IS NOT NULL AS "wasVerified", before.email_proved_at IS NOT NULL AS "wasProved"`;
  return rows[0] ?? { wasVerified: false, wasProved: false };
}

/** False when it was verified before. */
export async function setEmailVerified(tx: Tx, id: bigint, now: Date): Promise<boolean> {
  const { count } = await tx.prisma.account.updateMany({
    where: { id, emailVerifiedAt: null },
    data: { emailVerifiedAt: now },
  });
  return count === 1;
}

/** The caller knows the password with this hash; false when the operator has another one by now. */
export async function setEmailProved(
  tx: Tx,
  { accountId, operatorId }: OperatorId,
  { passwordHash, now }: { readonly passwordHash: string; readonly now: Date },
): Promise<boolean> {
  const proved = await tx.$executeRaw`
    UPDATE accounts SET email_proved_at = ${now}
     WHERE id = ${accountId} AND EXISTS (
       SELECT FROM operators o WHERE o.account_id = ${accountId} AND o.id = ${operatorId} AND o.password_hash = ${passwordHash})`;
  return proved === 1;
}
