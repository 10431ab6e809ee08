import { withOutbox } from '#jobs/outbox.js';
import { withTx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { readAccountToken } from './access/secrets.js';
import { findMailAccount, insertAccount, setEmailVerified } from './account-repository.js';
import type { AccountsContext } from './accounts-context.js';
import { assertNotObvious } from './obvious-passwords.js';
import { useVerificationToken } from './verification-tokens.js';

export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export async function registerAccount(
  context: AccountsContext,
  { name, email, password }: Registration,
): Promise<void> {
  assertNotObvious(password, { name, email });
  const passwordHash = await context.passwords.hash(password);
  await withOutbox(context, async (tx, addEntry) => {
    const accountId = await insertAccount(tx, { name, email, passwordHash });
    if (accountId === undefined) throw new Refusal('email-taken');
    await addEntry(accountId, 'verification-mail');
  });
}

export async function verifyEmail(context: AccountsContext, tokenText: string): Promise<void> {
  const token = readAccountToken(tokenText);
  if (token === undefined) throw new Refusal('verification-token-invalid');
  const now = context.now();
  await withTx(context.database, async (tx) => {
    // A password change locks the account before its tokens, so this does, too.
    await setEmailVerified(tx, token.accountId, now);
    if (!(await useVerificationToken(tx, token, now))) throw new Refusal('verification-token-invalid');
  });
}

/** Sends the verification mail again. False when the e-mail is verified already. */
export async function resendVerification(context: AccountsContext, accountId: bigint): Promise<boolean> {
  const account = await findMailAccount(context.database, accountId);
  if (account === undefined || account.emailVerifiedAt !== null) return false;
  await withOutbox(context, (_tx, addEntry) => addEntry(accountId, 'verification-mail'));
  return true;
}
