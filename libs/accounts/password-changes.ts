import { NOBODY, withOutbox } from '#jobs/outbox.js';
import { Refusal } from '#platform/errors/refusal.js';
import { deleteAccessTokens } from './access/access-repository.js';
import { findLoginByEmail, findLoginById, replacePassword, setPasswordAndVerify } from './account-repository.js';
import { takeResetTry, useResetCode } from './code-repository.js';
import type { AccountsContext } from './context.js';
import { endResetRequests, lockResetCodes } from './reset-codes.js';

export interface PasswordReset {
  readonly accountId: bigint;
  /** The token that asked; every other one ends. */
  readonly keepTokenId: bigint | undefined;
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Changes the password of somebody who is logged in and knows the current one. */
export async function resetPassword(context: AccountsContext, reset: PasswordReset): Promise<void> {
  const { accountId, keepTokenId } = reset;
  const login = await findLoginById(context.database, accountId);
  const known = await context.passwords.matches(reset.currentPassword, login?.passwordHash);
  if (login === undefined || !known) throw new Refusal('current-password-wrong');
  const to = await context.passwords.hash(reset.newPassword);
  await context.changes.announcing(accountId, () =>
    withOutbox(context, async (transaction, announce) => {
      const replaced = await replacePassword(transaction, accountId, { from: login.passwordHash, to });
      if (!replaced) throw new Refusal('current-password-wrong');
      await deleteAccessTokens(transaction, accountId, keepTokenId);
      await announce(accountId, 'password-changed-mail');
    }),
  );
}

/**
 * Asks for a reset code. Does exactly the same for an unknown e-mail, down to the outbox entry (which then belongs to
 * nobody), so that neither the answer nor its time tells whether there is such an account.
 */
export async function forgotPassword(context: AccountsContext, email: string): Promise<void> {
  await withOutbox(context, async (transaction, announce) => {
    const accountId = (await findLoginByEmail(transaction, email))?.id ?? NOBODY;
    await lockResetCodes(transaction, accountId);
    await transaction.resetCode.deleteMany({ where: { accountId } });
    await announce(accountId, 'password-reset-mail');
  });
}

export interface ForgottenPassword {
  readonly email: string;
  readonly code: string;
  readonly newPassword: string;
}

/** Sets a new password for whoever received the code. It proves the e-mail, too. */
export async function createForgottenPassword(context: AccountsContext, forgotten: ForgottenPassword): Promise<void> {
  const { database, passwords, changes, now } = context;
  const accountId = (await findLoginByEmail(database, forgotten.email))?.id ?? NOBODY;
  const codeHash = await takeResetTry(database, accountId, now());
  const right = await passwords.matches(forgotten.code, codeHash);
  if (codeHash === undefined || !right) throw new Refusal('reset-code-invalid');
  const passwordHash = await passwords.hash(forgotten.newPassword);
  await changes.announcing(accountId, () =>
    withOutbox(context, async (transaction, announce) => {
      await lockResetCodes(transaction, accountId);
      if (!(await useResetCode(transaction, accountId, codeHash))) throw new Refusal('reset-code-invalid');
      await setPasswordAndVerify(transaction, accountId, passwordHash, now());
      await transaction.verificationToken.deleteMany({ where: { accountId } });
      await deleteAccessTokens(transaction, accountId);
      await endResetRequests(transaction, accountId);
      await announce(accountId, 'password-changed-mail');
    }),
  );
}
