import type { Database, Queryable, Tx } from '#platform/database/database.js';
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

/** Uses the token up, and with it every other one of the account. False when there is no such living token. */
export async function useVerificationToken(tx: Tx, token: AccountToken, now: Date): Promise<boolean> {
  const used = await tx.$executeRaw`
    DELETE FROM verification_tokens
     WHERE account_id = ${token.accountId} AND token_hash = ${token.hash} AND expires_at > ${now}`;
  if (used !== 1) return false;
  await tx.verificationToken.deleteMany({ where: { accountId: token.accountId } });
  return true;
}

export interface NewResetCode {
  readonly codeHash: string;
  readonly expiresAt: Date;
}

/** An account has one living code at most: a new one takes the old one's place. */
export async function replaceResetCode(
  tx: Tx,
  accountId: bigint,
  { codeHash, expiresAt }: NewResetCode,
): Promise<void> {
  const fresh = { codeHash, expiresAt, wrongTries: 0, createdAt: new Date() };
  await tx.resetCode.upsert({ where: { accountId }, create: { accountId, ...fresh }, update: fresh });
}

export const MAX_WRONG_TRIES = 5;

/**
 * Counts a try against the account's living code and returns its hash. Counted before it is checked, so that parallel
 * guesses cannot share a try; the right code deletes the row and with it the count.
 */
export async function takeResetTry(database: Database, accountId: bigint, now: Date): Promise<string | undefined> {
  const rows = await database.$queryRaw<{ codeHash: string }[]>`
    UPDATE reset_codes SET wrong_tries = wrong_tries + 1
     WHERE account_id = ${accountId} AND wrong_tries < ${MAX_WRONG_TRIES} AND expires_at > ${now}
    RETURNING code_hash AS "codeHash"`;
  return rows[0]?.codeHash;
}

/** Uses the code up. False when it was used or replaced meanwhile. */
export async function useResetCode(tx: Tx, accountId: bigint, codeHash: string): Promise<boolean> {
  const { count } = await tx.resetCode.deleteMany({ where: { accountId, codeHash } });
  return count === 1;
}

export interface DeletedCodes {
  readonly accessTokens: number;
  readonly verificationTokens: number;
  readonly resetCodes: number;
}

export async function deleteExpiredCodes(database: Queryable, now: Date): Promise<DeletedCodes> {
  const expired = { where: { expiresAt: { lt: now } } };
  const accessTokens = await database.accessToken.deleteMany(expired);
  const verificationTokens = await database.verificationToken.deleteMany(expired);
  const resetCodes = await database.resetCode.deleteMany(expired);
  return {
    accessTokens: accessTokens.count,
    verificationTokens: verificationTokens.count,
    resetCodes: resetCodes.count,
  };
}
