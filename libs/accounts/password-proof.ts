import { Refusal, type RefusalCode } from '#platform/errors/refusal.js';
import type { HashingContext } from './accounts-context.js';
import { recordEvents } from './events/record-events.js';
import { findLogin, type Login } from './operators/operator-repository.js';

export interface PasswordProof {
  readonly accountId: bigint;
  /** Undefined: the caller's key is nobody's, so no password is right. */
  readonly operatorId: bigint | undefined;
  readonly password: string;
  /** Of a wrong password. */
  readonly refusal?: RefusalCode;
}

/**
 * The caller's operator, if the password is its own. A wrong one is an event: the caller had a right credential, and the
 * limit on guesses bounds how many there are.
 */
export async function provePassword(context: HashingContext, proof: PasswordProof): Promise<Login> {
  const { accountId, operatorId, password, refusal = 'current-password-wrong' } = proof;
  const login =
    operatorId === undefined ? undefined : await findLogin(context.database.shared, { accountId, operatorId });
  const isRight = await context.passwords.matches(password, login?.passwordHash);
  if (login !== undefined && isRight) return login;
  return refuseProof(context, accountId, refusal);
}

/** A wrong code of a second factor is such an event, too. */
export async function refuseProof(context: HashingContext, accountId: bigint, refusal: RefusalCode): Promise<never> {
  await context.transact((tx) => recordEvents(tx, context.cause, [{ accountId, type: 'password-refused' }]));
  throw new Refusal(refusal);
}
