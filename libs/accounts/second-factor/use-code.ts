import { Refusal } from '#platform/errors/refusal.js';
import type { SealedBox } from '#platform/secrets/sealed-box.js';
import type { HashingContext } from '../accounts-context.js';
import { actorOfPerson } from '../events/account-event.js';
import { recordEvents } from '../events/record-events.js';
import type { OperatorId } from '../operators/operator.js';
import type { Login } from '../operators/operator-repository.js';
import { type PasswordProof, provePassword, refuseProof } from '../password-proof.js';
import { recoveryHashOf } from './recovery-codes.js';
import { useRecoveryCode, useStep } from './second-factor-repository.js';
import { stepOf } from './totp.js';

export type CodeContext = Pick<HashingContext, 'database' | 'transact' | 'factorBox' | 'cause'>;

/** Whom a stored secret is bound to. */
export const ownerOf = ({ accountId, operatorId }: OperatorId): string =>
  `second factor of operator ${operatorId} of account ${accountId}`;

/** Without the key of the secret nobody's codes can be checked; recovery codes work still. */
export function openSecret(box: SealedBox | undefined, id: OperatorId, stored: string): Buffer {
  const secret = box?.open(ownerOf(id), stored);
  if (secret === undefined) throw new Refusal('second-factor-off');
  return secret;
}

/**
 * Whether the code is one of the app or a recovery code, and was not used before. It is used up. The time is that of
 * PostgreSQL, so every process takes the same codes.
 */
export async function useCode(context: CodeContext, login: Login, code: string): Promise<boolean> {
  const { accountId, secondFactorSecret } = login;
  const hash = recoveryHashOf(code);
  if (hash !== undefined) {
    return context.transact(async (tx) => {
      const left = await useRecoveryCode(tx, login, hash);
      if (left === undefined) return false;
      const cause = { ...context.cause, actor: actorOfPerson(login) };
      await recordEvents(tx, cause, [{ accountId, type: 'recovery-code-used', after: { left } }]);
      return true;
    });
  }
  if (secondFactorSecret === null) return false;
  const step = stepOf(openSecret(context.factorBox, login, secondFactorSecret), code, login.readAt);
  return step !== undefined && useStep(context.database.shared, login, { secret: secondFactorSecret, step });
}

export interface OperatorProof extends PasswordProof {
  /** Undefined: none was given. */
  readonly code: string | undefined;
}

/** The caller's operator, if the password is its own and so is the code, which it must give when it has a second factor. */
export async function proveOperator(context: HashingContext, { code, ...proof }: OperatorProof): Promise<Login> {
  const login = await provePassword(context, proof);
  if (login.secondFactorAt === null) return login;
  if (code === undefined) throw new Refusal('code-needed');
  if (!(await useCode(context, login, code))) await refuseProof(context, login.accountId, 'code-wrong');
  return login;
}
