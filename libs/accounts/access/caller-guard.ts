import { Prisma, type Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';

/** The credential that a caller has shown: the token of a session, or an API key. */
export interface Credential {
  readonly accountId: bigint;
  readonly operatorId: bigint | undefined;
  readonly tokenId: bigint | undefined;
  readonly apiKeyId?: bigint | undefined;
}

/** What the account asks of a caller who gives access to it. */
export interface CallerGuard {
  readonly isPasswordNeeded: boolean;
  /** Whether the operator's password is still the one whose hash is given. */
  readonly isProven: boolean;
  /** Whether the credential still exists. */
  readonly isAlive: boolean;
}

/**
 * Locks the account before its credentials, as every transaction does. A credential that was just ended must not leave
 * access behind: either what ends it waits for this transaction, and finds what it has made, or this one finds none.
 */
export async function lockCaller(
  tx: Tx,
  { accountId, operatorId, tokenId, apiKeyId }: Credential,
  provenHash: string | undefined,
): Promise<CallerGuard> {
  const [account] = await tx.$queryRaw<Omit<CallerGuard, 'isAlive'>[]>`
    SELECT coalesce((preferences -> 'confirm_keys') = 'true', FALSE) AS "isPasswordNeeded",
           EXISTS (SELECT FROM operators o WHERE o.account_id = ${accountId} AND o.id = ${operatorId ?? null}::bigint
                      AND o.password_hash = ${provenHash ?? null}::text) AS "isProven"
      FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
  const [table, id] = tokenId === undefined ? ['api_keys', apiKeyId] : ['access_tokens', tokenId];
  const found = await tx.$queryRaw<object[]>`
    SELECT 1 FROM ${Prisma.raw(table)} WHERE account_id = ${accountId} AND id = ${id ?? null}::bigint FOR SHARE`;
  if (account === undefined) throw new Error(`the account ${accountId} of a caller does not exist`);
  return { ...account, isAlive: found.length === 1 };
}

/** Refuses a caller who has not proved the password, if the account asks for it. */
export function assertProven({ isPasswordNeeded, isProven }: CallerGuard, provenHash: string | undefined): void {
  if (provenHash === undefined && isPasswordNeeded) throw new Refusal('password-needed');
  if (provenHash !== undefined && !isProven) throw new Refusal('current-password-wrong');
}
