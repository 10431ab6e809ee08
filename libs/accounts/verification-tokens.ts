import type { SharedTables, Tx } from '#platform/database/database.js';
import type { AccountToken } from './access/secrets.js';

export async function insertVerificationToken(
  tables: SharedTables | Tx,
  token: AccountToken,
  expiresAt: Date,
): Promise<void> {
  await tables.run((prisma) =>
    prisma.verificationToken.create({
      data: { accountId: token.accountId, tokenHash: Uint8Array.from(token.hash), expiresAt },
    }),
  );
}

export async function isVerificationToken(tables: SharedTables | Tx, token: AccountToken, now: Date): Promise<boolean> {
  const { accountId, hash } = token;
  const tokenHash = Uint8Array.from(hash);
  return (
    (await tables.run((prisma) =>
      prisma.verificationToken.count({ where: { accountId, tokenHash, expiresAt: { gt: now } } }),
    )) === 1
  );
}

/** Notes that the links of the account's tokens were opened. False when this token is unknown, expired or opened before. */
export async function openVerificationToken(tx: Tx, token: AccountToken, now: Date): Promise<boolean> {
  const opened = await tx.$executeRaw`
    UPDATE verification_tokens SET opened_at = ${now}
     WHERE account_id = ${token.accountId} AND token_hash = ${token.hash} AND expires_at > ${now} AND opened_at IS NULL`;
  if (opened !== 1) return false;
  await tx.$executeRaw`
    UPDATE verification_tokens SET opened_at = ${now} WHERE account_id = ${token.accountId} AND opened_at IS NULL`;
  return true;
}

/** Deletes the token and every other one of the account. False when the token is unknown or expired. */
export async function useVerificationToken(tx: Tx, token: AccountToken, now: Date): Promise<boolean> {
  const used = await tx.$executeRaw`
    DELETE FROM verification_tokens
     WHERE account_id = ${token.accountId} AND token_hash = ${token.hash} AND expires_at > ${now}`;
  if (used !== 1) return false;
  await tx.prisma.verificationToken.deleteMany({ where: { accountId: token.accountId } });
  return true;
}
