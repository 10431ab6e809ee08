import { withOutbox } from '#jobs/outbox.js';
import { withTx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type AccountToken, readAccountToken } from './access/secrets.js';
import { findMailAccount, lockAccount, setEmailProved, setEmailVerified } from './account-repository.js';
import type { AccountsContext, CausedContext, HashingContext } from './accounts-context.js';
import { actorOfPerson, type NewEvent } from './events/account-event.js';
import { recordEvents } from './events/record-events.js';
import { findLoginOfAddress } from './operators/operator-repository.js';
import { provePassword } from './password-proof.js';
import { isVerificationToken, openVerificationToken, useVerificationToken } from './verification-tokens.js';

/*
 * An address is verified when the link of its mail was opened. Programs that scan mails open links, so this says nothing
 * about who registered the address. It is proved when somebody who reads the mail knows the password, or has set it.
 */

function tokenIn(text: string): AccountToken {
  const token = readAccountToken(text);
  if (token === undefined) throw new Refusal('verification-token-invalid');
  return token;
}

/** The token still proves the address with the password. */
export async function verifyEmail(context: CausedContext, tokenText: string): Promise<void> {
  const token = tokenIn(tokenText);
  const now = context.now();
  await withTx(context.database.shared, async (tx) => {
    // A password change locks the account before its tokens, so this does, too.
    const account = await lockAccount(tx, token.accountId);
    if (account === undefined || !(await openVerificationToken(tx, token, now))) {
      throw new Refusal('verification-token-invalid');
    }
    if (!(await setEmailVerified(tx, account.id, now))) return;
    const owner = await findLoginOfAddress(tx, account.id);
    const cause = owner === undefined ? context.cause : { ...context.cause, actor: actorOfPerson(owner) };
    await recordEvents(tx, cause, [{ accountId: account.id, type: 'email-verified', after: { email: account.email } }]);
  });
}

/** The token of a mail, before a password is tried: who has none gets no try. */
export async function findVerification(context: AccountsContext, tokenText: string): Promise<AccountToken> {
  const token = tokenIn(tokenText);
  if (await isVerificationToken(context.database.shared, token, context.now())) return token;
  throw new Refusal('verification-token-invalid');
}

/** Proves the address: the caller has the token of its mail and knows the password. */
export async function confirmEmail(context: HashingContext, token: AccountToken, password: string): Promise<void> {
  const { accountId } = token;
  const owner = await findLoginOfAddress(context.database.shared, accountId);
  const given = { accountId, operatorId: owner?.operatorId, password };
  const login = await provePassword(context, { ...given, refusal: 'password-wrong' });
  const now = context.now();
  await withTx(context.database.shared, async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await useVerificationToken(tx, token, now))) throw new Refusal('verification-token-invalid');
    const isVerified = await setEmailVerified(tx, accountId, now);
    // Another password may have been set meanwhile.
    if (!(await setEmailProved(tx, login, { passwordHash: login.passwordHash, now }))) {
      throw new Refusal('password-wrong');
    }
    const after = { email: login.email };
    const proved: NewEvent = { accountId, type: 'email-proved', after };
    const verified: NewEvent = { accountId, type: 'email-verified', after };
    await recordEvents(
      tx,
      { ...context.cause, actor: actorOfPerson(login) },
      isVerified ? [verified, proved] : [proved],
    );
  });
}

/** Sends the verification mail again. False when the address is proved already. */
export async function resendVerification(context: AccountsContext, accountId: bigint): Promise<boolean> {
  const account = await findMailAccount(context.database.shared, accountId);
  if (account === undefined || account.emailProvedAt !== null) return false;
  await withOutbox(context, (_tx, addEntry) => addEntry(accountId, 'verification-mail'));
  return true;
}
