import { type EntryKey, isNewestAndUndone, markTopicDone } from '#jobs/outbox.js';
import { type Database, type Tx, withTx } from '#platform/database/database.js';
import type { OperatorId } from './operators/operator.js';

// The newest request for a reset code wins. Mails are retried and overtake one another, so a code is stored only while its
// request stands: a newer request ends it, and so does a password that was set with a code.

/** As the entry of a request names the operator. */
const idsOf = ({ operatorId }: OperatorId) => ({ operatorId: String(operatorId) });

const REQUEST = 'password-reset-mail';

/** Guesses of one code, after which it no longer works. */
const MAX_WRONG_TRIES = 5;

/**
 * The first statement of every transaction that requests, stores or uses a reset code. The one order prevents deadlocks,
 * and later statements see what the last holder committed. NO KEY UPDATE does not block rows that refer to the account.
 */
export async function lockResetCodes(tx: Tx, accountId: bigint): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
}

/** Replaces the operator's valid code by this one. False, without a change, when the request is moot. */
export async function storeResetCode(
  database: Database,
  request: EntryKey & OperatorId,
  code: { readonly codeHash: string; readonly expiresAt: Date },
): Promise<boolean> {
  const { accountId, operatorId } = request;
  return withTx(database.shared, async (tx) => {
    await lockResetCodes(tx, accountId);
    if (!(await isNewestAndUndone(tx, { ...request, topic: REQUEST, ids: idsOf(request) }))) return false;
    const row = { ...code, wrongTries: 0, createdAt: new Date() };
    const key = { accountId, operatorId };
    await tx.prisma.resetCode.upsert({
      where: { accountId_operatorId: key },
      create: { ...key, ...row },
      update: row,
    });
    return true;
  });
}

/**
 * Counts a try against the operator's valid code and returns its hash. The try counts before it is checked, so that
 * parallel guesses cannot share one; the right code deletes the row and with it the count.
 */
export async function takeResetTry(
  database: Database,
  { accountId, operatorId }: OperatorId,
  now: Date,
): Promise<string | undefined> {
  const rows = await database.shared.$queryRaw<{ codeHash: string }[]>`
    UPDATE reset_codes SET wrong_tries = wrong_tries + 1
     WHERE account_id = ${accountId} AND operator_id = ${operatorId} AND wrong_tries < ${MAX_WRONG_TRIES} AND expires_at > ${now}
    RETURNING code_hash AS "codeHash"`;
  return rows[0]?.codeHash;
}

/** Deletes the code. False when it was used or replaced since the try. */
export async function useResetCode(tx: Tx, { accountId, operatorId }: OperatorId, codeHash: string): Promise<boolean> {
  const { count } = await tx.prisma.resetCode.deleteMany({ where: { accountId, operatorId, codeHash } });
  return count === 1;
}

/** Ends all requests of the operator, so that no earlier one stores a code after a password was set with a code. */
export async function endResetRequests(tx: Tx, operator: OperatorId): Promise<void> {
  await markTopicDone(tx, { accountId: operator.accountId, topic: REQUEST, ids: idsOf(operator) });
}
