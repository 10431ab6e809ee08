import type { Database, Queryable, Tx } from '#platform/database/database.js';
import { Prisma } from '#platform/database/database.js';
import type { AccountToken } from './secrets.js';

export type AccountRole = 'business' | 'admin';

/** An account whose credential has been verified. */
export interface AccessRow {
  readonly accountId: bigint;
  readonly role: AccountRole;
  readonly name: string;
  readonly email: string;
  readonly apiKeyGeneratedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const accessColumns = Prisma.sql`a.id AS "accountId", a.role, a.name, a.email,
  a.api_key_generated_at AS "apiKeyGeneratedAt", a.created_at AS "createdAt", a.updated_at AS "updatedAt"`;

export interface TokenAccessRow extends AccessRow {
  readonly tokenId: bigint;
  readonly expiresAt: Date;
}

export async function findAccessByToken(
  database: Queryable,
  token: AccountToken,
  now: Date,
): Promise<TokenAccessRow | undefined> {
  const rows = await database.$queryRaw<TokenAccessRow[]>`
    SELECT ${accessColumns}, t.id AS "tokenId", t.expires_at AS "expiresAt"
      FROM access_tokens t JOIN accounts a ON a.id = t.account_id
     WHERE t.account_id = ${token.accountId} AND t.token_hash = ${token.hash} AND t.expires_at > ${now}`;
  return rows[0];
}

export interface ApiKeyAccessRow extends AccessRow {
  readonly apiKey: string;
  readonly apiSecretHash: Uint8Array;
}

export async function findAccessByApiKey(database: Queryable, accountId: bigint): Promise<ApiKeyAccessRow | undefined> {
  const rows = await database.$queryRaw<ApiKeyAccessRow[]>`
    SELECT ${accessColumns}, a.api_key AS "apiKey", a.api_secret_hash AS "apiSecretHash"
      FROM accounts a WHERE a.id = ${accountId} AND a.api_key IS NOT NULL`;
  return rows[0];
}

/**
 * Inserts a token if the account's password is still the one that was checked. The share lock orders this against a
 * concurrent password change: either this statement sees the new password, or the change sees this token and deletes it.
 */
export async function insertAccessToken(
  database: Database,
  token: AccountToken,
  passwordHash: string,
  expiresAt: Date,
): Promise<boolean> {
  const inserted = await database.$executeRaw`
    INSERT INTO access_tokens (account_id, token_hash, expires_at)
    SELECT a.id, ${token.hash}, ${expiresAt} FROM accounts a
     WHERE a.id = ${token.accountId} AND a.password_hash = ${passwordHash} FOR SHARE`;
  return inserted === 1;
}

export async function deleteAccessToken(database: Queryable, accountId: bigint, tokenId: bigint): Promise<void> {
  await database.accessToken.deleteMany({ where: { accountId, id: tokenId } });
}

/** Deletes every token of the account except one, if given. */
export async function deleteAccessTokens(tx: Tx | Database, accountId: bigint, exceptTokenId?: bigint): Promise<void> {
  await tx.accessToken.deleteMany({
    where: { accountId, ...(exceptTokenId === undefined ? {} : { NOT: { id: exceptTokenId } }) },
  });
}
