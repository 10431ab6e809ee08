import type { Queryable } from '#platform/database/database.js';

export interface DeletedTokens {
  readonly accessTokens: number;
  readonly verificationTokens: number;
  readonly resetCodes: number;
}

export async function deleteExpiredTokens(database: Queryable, now: Date): Promise<DeletedTokens> {
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
