import { withOutbox } from '#jobs/outbox.js';
import { withTx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { readAccountToken } from './access/secrets.js';
import { findMailAccount, insertAccount, lockAccount, setEmailVerified } from './account-repository.js';
import type { AccountsContext, CausedContext, HashingContext } from './accounts-context.js';
import { ownerOf } from './events/account-event.js';
import { recordEvents } from './events/record-events.js';
import { assertNotObvious } from './obvious-passwords.js';
import { useVerificationToken } from './verification-tokens.js';

export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Returns the id of the new account. */
export async function registerAccount(
  context: HashingContext,
  { name, email, password }: Registration,
): Promise<bigint> {
  assertNotObvious(password, { name, email });
  const passwordHash = await context.passwords.hash(password);
  return withOutbox(context, async (tx, addEntry) => {
    const accountId = await insertAccount(tx, { name, email, passwordHash });
    if (accountId === undefined) throw new Refusal('email-taken');
    const cause = { ...context.cause, actor: ownerOf({ id: accountId, email }) };
    await recordEvents(tx, cause, [{ accountId, type: 'registered', after: { name, email } }]);
    await addEntry(accountId, 'verification-mail');
    return accountId;
  });
}

export async function verifyEmail(context: CausedContext, tokenText: string): Promise<void> {
  const token = readAccountToken(tokenText);
  if (token === undefined) throw new Refusal('verification-token-invalid');
  const now = context.now();
  await withTx(context.database, async (tx) => {
    // A password change locks the account before its tokens, so this does, too.
    const account = await lockAccount(tx, token.accountId);
    if (account === undefined || !(await useVerificationToken(tx, token, now))) {
      throw new Refusal('verification-token-invalid');
    }
    await setEmailVerified(tx, account.id, now);
    const cause = { ...context.cause, actor: ownerOf(account) };
    await recordEvents(tx, cause, [{ accountId: account.id, type: 'email-verified', after: { email: account.email } }]);
  });
}

/** Sends the verification mail again. False when the e-mail is verified already. */
export async function resendVerification(context: AccountsContext, accountId: bigint): Promise<boolean> {
  const account = await findMailAccount(context.database, accountId);
  if (account === undefined || account.emailVerifiedAt !== null) return false;
  await withOutbox(context, (_tx, addEntry) => addEntry(accountId, 'verification-mail'));
  return true;
}
