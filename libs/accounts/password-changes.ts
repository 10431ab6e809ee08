import { NO_ACCOUNT, withOutbox } from '#jobs/outbox.js';
import { Refusal } from '#platform/errors/refusal.js';
import { deleteAccessTokens } from './access/access-repository.js';
import { endAccess } from './access/end-access.js';
import { findLoginByEmail, replacePassword, setPasswordAndProve } from './account-repository.js';
import type { AccountsContext, HashingContext } from './accounts-context.js';
import { type NewEvent, ownerOf } from './events/account-event.js';
import { recordEvents } from './events/record-events.js';
import { assertNotCommon, assertNotObvious } from './guessable-passwords.js';
import { provePassword } from './password-proof.js';
import { endResetRequests, lockResetCodes, takeResetTry, useResetCode } from './reset-codes.js';

export interface PasswordReset {
  readonly accountId: bigint;
  /** The caller's token, the only one that stays valid. */
  readonly callerTokenId: bigint | undefined;
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Changes the password of a caller who is logged in and knows the current one. */
export async function resetPassword(context: HashingContext, reset: PasswordReset): Promise<void> {
  const { accountId, callerTokenId } = reset;
  assertNotCommon(reset.newPassword);
  const login = await provePassword(context, { accountId, password: reset.currentPassword });
  assertNotObvious(reset.newPassword, login);
  const to = await context.passwords.hash(reset.newPassword);
  await context.changes.announcing(accountId, () =>
    withOutbox(context, async (tx, addEntry) => {
      const replaced = await replacePassword(tx, accountId, { from: login.passwordHash, to });
      if (!replaced) throw new Refusal('current-password-wrong');
      const ended = await deleteAccessTokens(tx, accountId, callerTokenId);
      await recordEvents(tx, context.cause, [{ accountId, type: 'password-changed', before: { sessions: ended } }]);
      await addEntry(accountId, 'password-changed-mail');
    }),
  );
}

/**
 * Requests a reset code. It does the same work for an unknown e-mail, even an outbox entry (which then belongs to no
 * account), so that neither the answer nor its time reveals whether the account exists. Requests for one e-mail at the same
 * time share a transaction: only a real account has a row to lock, so many transactions would wait for it, and tell.
 */
export async function forgotPassword(context: AccountsContext, email: string): Promise<void> {
  await context.resetRequests(email.toLowerCase(), () =>
    withOutbox(context, async (tx, addEntry) => {
      const accountId = (await findLoginByEmail(tx, email))?.id ?? NO_ACCOUNT;
      await lockResetCodes(tx, accountId);
      await tx.prisma.resetCode.deleteMany({ where: { accountId } });
      await addEntry(accountId, 'password-reset-mail');
    }),
  );
}

export interface ForgottenPassword {
  readonly email: string;
  readonly code: string;
  readonly newPassword: string;
  /** Ends API keys and webhook endpoints, too. */
  readonly endsAccess: boolean;
}

/**
 * Sets a new password for a caller who has the code, which also proves the e-mail, and ends every access token. While nobody
 * who reads the e-mail had proved to know the password, another person may have registered the account: so all access ends
 * then, whatever the caller asked for. An opened link is no proof: programs that scan mails open it.
 */
export async function createForgottenPassword(context: HashingContext, forgotten: ForgottenPassword): Promise<void> {
  const { database, passwords, changes, now } = context;
  assertNotCommon(forgotten.newPassword); // before the try, so that it neither costs one nor tells whether the e-mail exists
  const login = await findLoginByEmail(database.shared, forgotten.email);
  const accountId = login?.id ?? NO_ACCOUNT;
  const codeHash = await takeResetTry(database, accountId, now());
  const right = await passwords.matches(forgotten.code, codeHash);
  if (login === undefined || codeHash === undefined || !right) throw new Refusal('reset-code-invalid');
  assertNotObvious(forgotten.newPassword, login);
  const passwordHash = await passwords.hash(forgotten.newPassword);
  await changes.announcing(accountId, () =>
    withOutbox(context, async (tx, addEntry) => {
      await lockResetCodes(tx, accountId);
      if (!(await useResetCode(tx, accountId, codeHash))) throw new Refusal('reset-code-invalid');
      const { wasVerified, wasProved } = await setPasswordAndProve(tx, accountId, passwordHash, now());
      const cause = { ...context.cause, actor: ownerOf(login) };
      if (!wasProved || forgotten.endsAccess) await endAccess(tx, accountId, cause);
      await tx.prisma.verificationToken.deleteMany({ where: { accountId } });
      const before = { sessions: await deleteAccessTokens(tx, accountId) };
      const verified: NewEvent = { accountId, type: 'email-verified', after: { email: login.email } };
      const proved: NewEvent = { accountId, type: 'email-proved', after: { email: login.email } };
      const recovered: NewEvent = { accountId, type: 'password-recovered', before };
      await recordEvents(tx, cause, [...(wasVerified ? [] : [verified]), ...(wasProved ? [] : [proved]), recovered]);
      await endResetRequests(tx, accountId);
      await addEntry(accountId, 'password-changed-mail');
    }),
  );
}
