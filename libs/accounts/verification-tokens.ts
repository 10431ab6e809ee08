import type { Queryable, Tx } from '#platform/database/database.js';
import type { AccountToken } from './access/secrets.js';

export async function insertVerificationToken(
  database: Queryable,
  token: AccountToken,
  expiresAt: Date,
): Promise<void> {
  await database.verificationToken.create({
    data: { accountId: token.accountId, tokenHash: Uint8Array.from(token.hash), expiresAt },
  });
}

/** Deletes the token and every other one of the account. False when the token is unknown or expired. */
export async function useVerificationToken(tx: Tx, token: AccountToken, now: Date): Promise<boolean> {
  const used = await tx.$executeRaw`
    DELETE FROM verification_tokens
     WHERE account_id = ${token.accountId} AND token_hash = ${token.hash} AND expires_at > ${now}`;
  if (used !== 1) return false;
  await tx.verificationToken.deleteMany({ where: { accountId: token.accountId } });
  return true;
}
