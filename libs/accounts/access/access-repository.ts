import { Prisma, type SharedTables, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import type { Cause } from '../events/account-event.js';
import type { CallerRole } from './caller-role.js';
import type { AccountToken } from './secrets.js';

export type AccountRole = 'business' | 'admin';
/** A suspended account may log in and read. */
export type AccountStatus = 'active' | 'suspended';

/** An account whose credential has been verified. */
export interface AccessRow {
  readonly accountId: bigint;
  readonly role: AccountRole;
  readonly status: AccountStatus;
  readonly name: string;
  readonly email: string;
  readonly apiKeyGeneratedAt: Date | null;
  /** The network that registered it, with which it shares quotas; null: it shares them with no other account. */
  readonly registeredFrom: string | null;
  /** Of a sandbox: the business that made it, with which it is suspended. */
  readonly sandboxOf: bigint | null;
  readonly currency: string | null;
  readonly decimals: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const accessColumns = Prisma.sql`a.id AS "accountId", a.role, a.name, a.email,
  CASE WHEN EXISTS (SELECT FROM accounts p WHERE p.id = a.sandbox_of AND p.status = 'suspended') THEN 'suspended' ELSE a.status END
    AS status, a.sandbox_of AS "sandboxOf",
  a.api_key_generated_at AS "apiKeyGeneratedAt", a.registered_from AS "registeredFrom", a.currency, a.decimals,
  a.created_at AS "createdAt", a.updated_at AS "updatedAt"`;

export interface TokenAccessRow extends AccessRow {
  readonly tokenId: bigint;
  readonly expiresAt: Date;
}

export async function findAccessByToken(
  tables: SharedTables | Tx,
  token: AccountToken,
  now: Date,
): Promise<TokenAccessRow | undefined> {
  const rows = await queryRows<TokenAccessRow>(
    tables,
    Prisma.sql`
    SELECT ${accessColumns}, t.id AS "tokenId", t.expires_at AS "expiresAt"
      FROM access_tokens t JOIN accounts a ON a.id = t.account_id
     WHERE t.account_id = ${token.accountId} AND t.token_hash = ${token.hash} AND t.expires_at > ${now}`,
  );
  return rows[0];
}

export interface ApiKeyAccessRow extends AccessRow {
  readonly keyId: bigint;
  readonly keyName: string;
  readonly keyRole: CallerRole;
  readonly secretHash: Uint8Array;
  readonly expiresAt: Date | null;
}

export async function findAccessByApiKey(
  tables: SharedTables | Tx,
  { accountId, apiKey }: { readonly accountId: bigint; readonly apiKey: string },
  now: Date,
): Promise<ApiKeyAccessRow | undefined> {
  const rows = await queryRows<ApiKeyAccessRow>(
    tables,
    Prisma.sql`
    SELECT ${accessColumns}, k.id AS "keyId", k.name AS "keyName", k.role AS "keyRole",
           k.secret_hash AS "secretHash", k.expires_at AS "expiresAt"
      FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.account_id = ${accountId} AND k.api_key = ${apiKey} AND (k.expires_at IS NULL OR k.expires_at > ${now})`,
  );
  return rows[0];
}

export interface NewSession {
  readonly token: AccountToken;
  /** The hash of the password that was checked. */
  readonly passwordHash: string;
  readonly expiresAt: Date;
}

/**
 * Inserts a token, with the event of its login, if the account's password is still the one that was checked. The share
 * lock orders this against a concurrent password change: either this statement sees the new password, or the change sees
 * this token and deletes it.
 */
export async function insertAccessToken(
  tables: SharedTables | Tx,
  session: NewSession,
  cause: Cause,
): Promise<boolean> {
  const { token, passwordHash, expiresAt } = session;
  const { actor, address, requestId } = cause;
  const inserted = await tables.$executeRaw`
    WITH session AS (
      INSERT INTO access_tokens (account_id, token_hash, expires_at, address)
      SELECT a.id, ${token.hash}, ${expiresAt}, ${address} FROM accounts a
       WHERE a.id = ${token.accountId} AND a.password_hash = ${passwordHash} FOR SHARE
      RETURNING account_id, id)
    INSERT INTO account_events (account_id, type, actor, address, after, request_id, created_at)
    SELECT account_id, 'login', ${JSON.stringify(actor)}::jsonb, ${address}, jsonb_build_object('session_id', id),
           ${requestId}, clock_timestamp()
      FROM session`;
  return inserted === 1;
}

/** Returns whether there was such a living token. */
export async function deleteAccessToken(tx: Tx, accountId: bigint, tokenId: bigint): Promise<boolean> {
  const { count } = await tx.prisma.accessToken.deleteMany({
    where: { accountId, id: tokenId, expiresAt: { gt: new Date() } },
  });
  return count === 1;
}

/** Deletes every token of the account except one, if given, and returns how many there were. */
export async function deleteAccessTokens(tx: Tx, accountId: bigint, exceptTokenId?: bigint): Promise<number> {
  const { count } = await tx.prisma.accessToken.deleteMany({
    where: { accountId, ...(exceptTokenId === undefined ? {} : { NOT: { id: exceptTokenId } }) },
  });
  return count;
}
