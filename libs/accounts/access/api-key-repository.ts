import { Prisma, type Tx } from '#platform/database/database.js';
import type { KeyRole } from './caller-role.js';
import type { ApiKeyPair } from './secrets.js';

/** An API key as its account sees it; the secret is not stored. */
export interface ApiKey {
  readonly id: bigint;
  readonly name: string;
  readonly role: KeyRole;
  /** The operator who made the key; null for the first key of a sandbox, which the API makes. */
  readonly operatorId: bigint | null;
  readonly operatorName: string | null;
  readonly apiKey: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export const apiKeyColumns = Prisma.sql`k.id, k.name, k.role, k.api_key AS "apiKey",
  k.operator_id AS "operatorId",
  (SELECT o.name FROM operators o WHERE o.account_id = k.account_id AND o.id = k.operator_id) AS "operatorName",
  k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt"`;

export interface NewApiKey {
  readonly accountId: bigint;
  readonly operatorId: bigint | null;
  readonly name: string;
  readonly role: KeyRole;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly pair: ApiKeyPair;
}

/** Undefined when the account has a key of this name. */
export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<ApiKey | undefined> {
  const { accountId, operatorId, name, role, expiresAt, createdAt, pair } = key;
  const rows = await tx.$queryRaw<ApiKey[]>`
    INSERT INTO api_keys AS k (account_id, operator_id, name, role, api_key, secret_hash, expires_at, created_at)
    VALUES (${accountId}, ${operatorId}, ${name}, ${role}, ${pair.apiKey}, ${pair.secretHash}, ${expiresAt}, ${createdAt})
    ON CONFLICT (account_id, name) DO NOTHING RETURNING ${apiKeyColumns}`;
  return rows[0];
}

export async function countApiKeys(tx: Tx, accountId: bigint): Promise<number> {
  return tx.prisma.apiKey.count({ where: { accountId } });
}

/** Which keys of an account: one by id, by name or by maker, or all. */
export interface KeyChoice {
  readonly id?: bigint;
  readonly name?: string;
  /** Those that this operator made. */
  readonly operatorId?: bigint;
}

/** Returns the keys that it deleted. */
export async function deleteApiKeys(
  tx: Tx,
  accountId: bigint,
  { id, name, operatorId }: KeyChoice = {},
): Promise<ApiKey[]> {
  const chosen = [Prisma.sql`k.account_id = ${accountId}`];
  if (id !== undefined) chosen.push(Prisma.sql`k.id = ${id}`);
  if (name !== undefined) chosen.push(Prisma.sql`k.name = ${name}`);
  if (operatorId !== undefined) chosen.push(Prisma.sql`k.operator_id = ${operatorId}`);
  return tx.$queryRaw<ApiKey[]>`
    DELETE FROM api_keys k WHERE ${Prisma.join(chosen, ' AND ')} RETURNING ${apiKeyColumns}`;
}

/** After every change of an account's keys, in its transaction. */
export async function dateNewestKey(tx: Tx, accountId: bigint, now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE accounts SET updated_at = ${now},
           api_key_generated_at = (SELECT max(created_at) FROM api_keys WHERE account_id = ${accountId})
     WHERE id = ${accountId}`;
}
