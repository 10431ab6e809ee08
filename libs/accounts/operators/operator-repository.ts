import { Prisma, type SharedTables, type Tx } from '#platform/database/database.js';
import type { AccountStatus } from '../access/access-repository.js';
import type { CallerRole } from '../access/caller-role.js';
import type { OperatorId } from './operator.js';

export interface NewOperator {
  readonly accountId: bigint;
  readonly name: string;
  readonly email: string;
  readonly role: CallerRole;
  /** Null: it is invited. */
  readonly passwordHash: string | null;
}

/** Returns the id, or undefined when the e-mail is taken. E-mails are compared without case. */
export async function insertOperator(tx: Tx, operator: NewOperator): Promise<bigint | undefined> {
  const { accountId, name, email, role, passwordHash } = operator;
  const state = passwordHash === null ? 'invited' : 'active';
  const rows = await tx.$queryRaw<{ id: bigint }[]>`
    INSERT INTO operators (account_id, name, email, role, state, password_hash)
    VALUES (${accountId}, ${name}, ${email}, ${role}, ${state}, ${passwordHash})
    ON CONFLICT (lower(email)) WHERE state <> 'deleted' DO NOTHING RETURNING id`;
  return rows[0]?.id;
}

/** Who may log in: an active operator, with what the log-in compares. */
export interface Login extends OperatorId {
  readonly email: string;
  readonly name: string;
  readonly role: CallerRole;
  readonly accountStatus: AccountStatus;
  readonly passwordHash: string;
  /** When its second factor was confirmed; null: it has none. */
  readonly secondFactorAt: Date | null;
  /** Encrypted. */
  readonly secondFactorSecret: string | null;
  /** When this was read, by PostgreSQL's clock. */
  readonly readAt: Date;
}

const loginColumns = Prisma.sql`o.account_id AS "accountId", o.id AS "operatorId", o.email, o.name, o.role,
  a.status AS "accountStatus", o.password_hash AS "passwordHash", o.second_factor_at AS "secondFactorAt",
  o.second_factor_secret AS "secondFactorSecret", clock_timestamp() AS "readAt"`;
const loginRows = Prisma.sql`operators o JOIN accounts a ON a.id = o.account_id
  WHERE o.state = 'active' AND o.password_hash IS NOT NULL`;

export async function findLoginByEmail(tables: SharedTables | Tx, email: string): Promise<Login | undefined> {
  const rows = await tables.$queryRaw<Login[]>`
    SELECT ${loginColumns} FROM ${loginRows} AND lower(o.email) = lower(${email})`;
  return rows[0];
}

export async function findLogin(tables: SharedTables | Tx, id: OperatorId): Promise<Login | undefined> {
  const rows = await tables.$queryRaw<Login[]>`
    SELECT ${loginColumns} FROM ${loginRows} AND o.account_id = ${id.accountId} AND o.id = ${id.operatorId}`;
  return rows[0];
}

/** The operator whose e-mail address is that of the account. */
export async function findLoginOfAddress(tables: SharedTables | Tx, accountId: bigint): Promise<Login | undefined> {
  const rows = await tables.$queryRaw<Login[]>`
    SELECT ${loginColumns} FROM ${loginRows} AND o.account_id = ${accountId} AND lower(o.email) = lower(a.email)`;
  return rows[0];
}

/** Where mails about the account go: to its own address while that is an owner's, then to its first owner. */
export async function findOwnersAddress(tables: SharedTables | Tx, accountId: bigint): Promise<string | undefined> {
  const rows = await tables.$queryRaw<{ email: string }[]>`
    SELECT o.email FROM operators o JOIN accounts a ON a.id = o.account_id
     WHERE o.account_id = ${accountId} AND o.state = 'active' AND o.role = 'owner'
     ORDER BY lower(o.email) = lower(a.email) DESC, o.id LIMIT 1`;
  return rows[0]?.email;
}

/** Changes the password unless another change came after the check of the old one; then it returns false. */
export async function replacePassword(
  tables: SharedTables | Tx,
  { accountId, operatorId }: OperatorId,
  hashes: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const replaced = await tables.$executeRaw`
    UPDATE operators SET password_hash = ${hashes.to}
     WHERE account_id = ${accountId} AND id = ${operatorId} AND state = 'active' AND password_hash = ${hashes.from}`;
  return replaced === 1;
}

/** Sets the password without the old one: the caller used a code from the operator's mail, and has locked the account. */
export async function setPassword(tx: Tx, { accountId, operatorId }: OperatorId, passwordHash: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE operators SET password_hash = ${passwordHash} WHERE account_id = ${accountId} AND id = ${operatorId}`;
}
