import { type EntryKey, isNewestAndUndone, markTopicDone } from '#jobs/outbox.js';
import { type Database, type Tx, withTx } from '#platform/database/database.js';
import { type NewResetCode, replaceResetCode } from './code-repository.js';

// The newest request for a reset code wins. Mails are retried and overtake one another, so a code is stored only for a
// request that nothing has ended meanwhile: neither a newer request nor a password that was set with a code.

const REQUEST = 'password-reset-mail';

/**
 * To be held by whoever asks for, stores or uses a reset code, before anything else: the order keeps them from deadlocks,
 * and what comes after it sees what the last holder committed. Rows that refer to the account are not held up by it.
 */
export async function lockResetCodes(tx: Tx, accountId: bigint): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
}

/** Makes the code the account's living one. False when the request is moot: then nothing changes. */
export async function storeResetCode(database: Database, request: EntryKey, code: NewResetCode): Promise<boolean> {
  return withTx(database, async (tx) => {
    await lockResetCodes(tx, request.accountId);
    if (!(await isNewestAndUndone(tx, { ...request, topic: REQUEST }))) return false;
    await replaceResetCode(tx, request.accountId, code);
    return true;
  });
}

/** Once a password is set with a code, no earlier request may bring another one to life. */
export async function endResetRequests(tx: Tx, accountId: bigint): Promise<void> {
  await markTopicDone(tx, accountId, REQUEST);
}
