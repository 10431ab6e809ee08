import { Prisma, type Queryable, type Tx } from '#platform/database/database.js';
import type { Account, AccountChanges } from './account.js';

export const accountColumns = Prisma.sql`a.id, a.name, a.email, a.role, a.email_verified_at AS "emailVerifiedAt",
  a.api_key_generated_at AS "apiKeyGeneratedAt", a.preferences, a.created_at AS "createdAt",
  a.updated_at AS "updatedAt"`;

export async function findAccount(database: Queryable, id: bigint): Promise<Account | undefined> {
  const rows = await database.$queryRaw<Account[]>`SELECT ${accountColumns} FROM accounts a WHERE a.id = ${id}`;
  return rows[0];
}

/** Locks all admins until the transaction ends, so that the last two cannot lose the role at the same time. */
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

export interface MailAccount {
  readonly id: bigint;
  readonly email: string;
  readonly emailVerifiedAt: Date | null;
}

export async function findMailAccount(database: Queryable, id: bigint): Promise<MailAccount | undefined> {
  const account = await database.account.findUnique({
    where: { id },
    select: { id: true, email: true, emailVerifiedAt: true },
  });
  return account ?? undefined;
}

export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
}

/** Returns the new account's id, or undefined when the e-mail is taken. E-mails are compared without case. */
export async function insertAccount(tx: Tx, { name, email, passwordHash }: NewAccount): Promise<bigint | undefined> {
  const rows = await tx.$queryRaw<{ id: bigint }[]>`
    INSERT INTO accounts (name, email, password_hash) VALUES (${name}, ${email}, ${passwordHash})
    ON CONFLICT (lower(email)) DO NOTHING RETURNING id`;
  return rows[0]?.id;
}

export interface Login {
  readonly id: bigint;
  readonly role: string;
  readonly passwordHash: string;
}

export async function findLoginByEmail(database: Queryable, email: string): Promise<Login | undefined> {
  const rows = await database.$queryRaw<Login[]>`
    SELECT id, role, password_hash AS "passwordHash" FROM accounts WHERE lower(email) = lower(${email})`;
  return rows[0];
}

export async function findLoginById(database: Queryable, id: bigint): Promise<Login | undefined> {
  const login = await database.account.findUnique({
    where: { id },
    select: { id: true, role: true, passwordHash: true },
  });
  return login ?? undefined;
}

/** Changes the password unless another change came after the check of the old one; then it returns false. */
export async function replacePassword(
  tx: Tx,
  id: bigint,
  hashes: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const { count } = await tx.account.updateMany({
    where: { id, passwordHash: hashes.from },
    data: { passwordHash: hashes.to },
  });
  return count === 1;
}

/** Sets the password without the old one. The caller used a code from the account's mail, which verifies the e-mail. */
export async function setPasswordAndVerify(tx: Tx, id: bigint, passwordHash: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE accounts SET password_hash = ${passwordHash}, updated_at = ${now},
           email_verified_at = coalesce(email_verified_at, ${now})
     WHERE id = ${id}`;
}

export async function setEmailVerified(tx: Tx, id: bigint, now: Date): Promise<void> {
  await tx.account.updateMany({ where: { id, emailVerifiedAt: null }, data: { emailVerifiedAt: now } });
}

/**
 * Sets the key only while the caller's token exists: a token that was just revoked must not leave a key behind. Every
 * transaction locks the account before its tokens.
 */
export async function setApiKey(
  tx: Tx,
  owner: { readonly accountId: bigint; readonly tokenId: bigint },
  key: { readonly apiKey: string; readonly secretHash: Uint8Array; readonly generatedAt: Date },
): Promise<boolean> {
  await tx.$executeRaw`SELECT FROM accounts WHERE id = ${owner.accountId} FOR NO KEY UPDATE`;
  const changed = await tx.$executeRaw`
    UPDATE accounts a SET api_key = ${key.apiKey}, api_secret_hash = ${key.secretHash},
           api_key_generated_at = ${key.generatedAt}, updated_at = ${key.generatedAt}
      FROM (SELECT account_id FROM access_tokens WHERE account_id = ${owner.accountId} AND id = ${owner.tokenId}
               FOR SHARE) t
     WHERE a.id = t.account_id`;
  return changed === 1;
}

/** Returns whether the account exists. */
export async function setRoleByEmail(database: Queryable, email: string, role: 'business' | 'admin'): Promise<boolean> {
  const changed = await database.$executeRaw(
    Prisma.sql`UPDATE accounts SET role = ${role}, updated_at = now() WHERE lower(email) = lower(${email})`,
  );
  return changed === 1;
}
