import { NO_ACCOUNT, withOutbox } from '#jobs/outbox.js';
import type { Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { deleteAccessTokens } from './access/access-repository.js';
import { endAccess } from './access/end-access.js';
import { lockAccount, setAddressProved } from './account-repository.js';
import { type AccountsContext, changeAccess, type HashingContext } from './accounts-context.js';
import { actorOfPerson, type NewEvent } from './events/account-event.js';
import { recordEvents } from './events/record-events.js';
import { assertNotCommon, assertNotObvious } from './guessable-passwords.js';
import {
  findLoginByEmail,
  findLoginOfAddress,
  type Login,
  replacePassword,
  setPassword,
} from './operators/operator-repository.js';
import { provePassword } from './password-proof.js';
import { endResetRequests, lockResetCodes, takeResetTry, useResetCode } from './reset-codes.js';

export interface PasswordReset {
  readonly accountId: bigint;
  readonly operatorId: bigint | undefined;
  /** The caller's token, the only one that stays valid. */
  readonly callerTokenId: bigint | undefined;
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Changes the password of a caller who is logged in and knows the current one. */
export async function resetPassword(context: HashingContext, reset: PasswordReset): Promise<void> {
  const { accountId, operatorId, callerTokenId } = reset;
  assertNotCommon(reset.newPassword);
  const login = await provePassword(context, { accountId, operatorId, password: reset.currentPassword });
  assertNotObvious(reset.newPassword, login);
  const to = await context.passwords.hash(reset.newPassword);
  await changeAccess(context, accountId, async (tx, addEntry) => {
    await lockAccount(tx, accountId);
    const replaced = await replacePassword(tx, login, { from: login.passwordHash, to });
    if (!replaced) throw new Refusal('current-password-wrong');
    const ended = await deleteAccessTokens(tx, accountId, { operatorId: login.operatorId, exceptId: callerTokenId });
    await recordEvents(tx, context.cause, [{ accountId, type: 'password-changed', before: { sessions: ended } }]);
    await addEntry(accountId, 'password-changed-mail', idsOf(login));
  });
}

/** What the job of a mail to the operator needs. */
const idsOf = ({ operatorId }: Pick<Login, 'operatorId'>) => ({ operatorId: String(operatorId) });
const NOBODY = { accountId: NO_ACCOUNT, operatorId: 0n };

/**
 * Requests a reset code. It does the same work for an unknown e-mail, even an outbox entry (which then belongs to no
 * account), so that neither the answer nor its time reveals whether the account exists. Requests for one e-mail at the same
 * time share a transaction: only a real account has a row to lock, so many transactions would wait for it, and tell.
 */
export async function forgotPassword(context: AccountsContext, email: string): Promise<void> {
  await context.resetRequests(email.toLowerCase(), () =>
    withOutbox(context, async (tx, addEntry) => {
      const { accountId, operatorId } = (await findLoginByEmail(tx, email)) ?? NOBODY;
      await lockResetCodes(tx, accountId);
      await tx.prisma.resetCode.deleteMany({ where: { accountId, operatorId } });
      await addEntry(accountId, 'password-reset-mail', idsOf({ operatorId }));
    }),
  );
}

export interface ForgottenPassword {
  readonly email: string;
  readonly code: string;
  readonly newPassword: string;
  /** Ends API keys and webhook endpoints of the account, too, when the operator is an owner. */
  readonly endsAccess: boolean;
}

/** Whether somebody who reads the mails of the account's address, its operator, had proved to know the password. */
async function proveAddress(tx: Tx, login: Login, { now, cause }: HashingContext): Promise<boolean> {
  const { accountId, operatorId, email } = login;
  // Of every other operator the invitation was the proof.
  if ((await findLoginOfAddress(tx, accountId))?.operatorId !== operatorId) return true;
  const { wasVerified, wasProved } = await setAddressProved(tx, accountId, now());
  await tx.prisma.verificationToken.deleteMany({ where: { accountId } });
  const verified: NewEvent = { accountId, type: 'email-verified', after: { email } };
  const proved: NewEvent = { accountId, type: 'email-proved', after: { email } };
  await recordEvents(tx, cause, [...(wasVerified ? [] : [verified]), ...(wasProved ? [] : [proved])]);
  return wasProved;
}

/**
 * Sets a new password for a caller who has the code, which also proves the e-mail, and ends every access token of the
 * operator. While nobody who reads the e-mail had proved to know the password, another person may have registered the account:
 * so all access ends then, whatever the caller asked for. An opened link is no proof: programs that scan mails open it.
 */
export async function createForgottenPassword(context: HashingContext, forgotten: ForgottenPassword): Promise<void> {
  const { database, passwords, now } = context;
  assertNotCommon(forgotten.newPassword); // before the try, so that it neither costs one nor tells whether the e-mail exists
  const login = await findLoginByEmail(database.shared, forgotten.email);
  const { accountId, operatorId } = login ?? NOBODY;
  const codeHash = await takeResetTry(database, { accountId, operatorId }, now());
  const right = await passwords.matches(forgotten.code, codeHash);
  if (login === undefined || codeHash === undefined || !right) throw new Refusal('reset-code-invalid');
  assertNotObvious(forgotten.newPassword, login);
  const passwordHash = await passwords.hash(forgotten.newPassword);
  await changeAccess(context, accountId, async (tx, addEntry) => {
    await lockResetCodes(tx, accountId);
    if (!(await useResetCode(tx, login, codeHash))) throw new Refusal('reset-code-invalid');
    await setPassword(tx, login, passwordHash);
    const cause = { ...context.cause, actor: actorOfPerson(login) };
    const wasProved = await proveAddress(tx, login, { ...context, cause });
    if (!wasProved || (forgotten.endsAccess && login.role === 'owner')) await endAccess(tx, accountId, cause);
    const before = { sessions: await deleteAccessTokens(tx, accountId, { operatorId }) };
    await recordEvents(tx, cause, [{ accountId, type: 'password-recovered', before }]);
    await endResetRequests(tx, login);
    await addEntry(accountId, 'password-changed-mail', idsOf(login));
  });
}
