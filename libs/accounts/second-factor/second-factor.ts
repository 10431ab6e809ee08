import type { AddEntry } from '#jobs/outbox.js';
import type { SharedTables, Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { SealedBox } from '#platform/secrets/sealed-box.js';
import { assertProven, type Credential, lockCaller } from '../access/caller-guard.js';
import { type CausedContext, changeAccess, type HashingContext } from '../accounts-context.js';
import { recordEvents } from '../events/record-events.js';
import type { OperatorId } from '../operators/operator.js';
import { findLogin } from '../operators/operator-repository.js';
import { provePassword, refuseProof } from '../password-proof.js';
import { renewProof } from './fresh-proof.js';
import { newRecoveryCodes, RECOVERY_CODES, recoveryHashOf } from './recovery-codes.js';
import {
  beginSecondFactor,
  confirmSecondFactor,
  deleteSecondFactor,
  findSecondFactor,
  type SecondFactor,
} from './second-factor-repository.js';
import { newTotpSecret, shownTotp, stepOf } from './totp.js';
import { openSecret, ownerOf, proveOperator } from './use-code.js';

/** What an operator changes of its own second factor, with the token of its session. */
export interface FactorChange extends Credential {
  readonly operatorId: bigint;
}

function boxOf({ factorBox }: Pick<CausedContext, 'factorBox'>): SealedBox {
  if (factorBox === undefined) throw new Refusal('second-factor-off');
  return factorBox;
}

type Work<Result> = (tx: Tx, addEntry: AddEntry) => Promise<Result>;

/** Returns undefined, without a change, when the session has ended: one that was stolen must not shut its owner out. */
const changing = <Result>(
  context: CausedContext,
  { provenHash, ...credential }: Credential & { readonly provenHash: string | undefined },
  work: Work<Result>,
): Promise<Result | undefined> =>
  changeAccess(context, credential.accountId, async (tx, addEntry) => {
    // Every role may: it is one's own.
    const guard = await lockCaller(tx, credential, provenHash, 'viewer');
    if (!guard.isAlive) return undefined;
    if (provenHash !== undefined) assertProven(guard, provenHash);
    return work(tx, addEntry);
  });

const idsOf = ({ operatorId }: OperatorId) => ({ operatorId: String(operatorId) });

export async function readSecondFactor(
  tables: SharedTables,
  id: OperatorId,
): Promise<Pick<SecondFactor, 'since' | 'recoveryCodes'>> {
  const { since = null, recoveryCodes = 0 } = (await findSecondFactor(tables, id)) ?? {};
  return { since, recoveryCodes };
}

/** Begins a second factor. It has no effect until a code of it is confirmed. */
export async function addSecondFactor(
  context: HashingContext,
  { password, ...request }: FactorChange & { readonly password: string },
): Promise<ReturnType<typeof shownTotp> | undefined> {
  const box = boxOf(context);
  const login = await provePassword(context, { ...request, password });
  const secret = newTotpSecret();
  return changing(context, { ...request, provenHash: login.passwordHash }, async (tx) => {
    const begun = await beginSecondFactor(tx, login, box.seal(ownerOf(login), secret));
    if (!begun) throw new Refusal('second-factor-active');
    await renewProof(tx, request);
    return shownTotp(secret, login.email);
  });
}

/** From now on log-ins need a code. Returns the recovery codes, of which only the hashes are stored. */
export async function confirmNewFactor(
  context: HashingContext,
  { code, ...request }: FactorChange & { readonly code: string },
): Promise<readonly string[] | undefined> {
  const { accountId } = request;
  const found = await findSecondFactor(context.database.shared, request);
  if (found?.since != null) throw new Refusal('second-factor-active');
  if (found?.secret == null) throw new Refusal('second-factor-not-begun');
  const { secret, readAt } = found;
  const step = stepOf(openSecret(context.factorBox, request, secret), code, readAt);
  if (step === undefined) return refuseProof(context, accountId, 'code-wrong');
  const codes = newRecoveryCodes();
  const recoveryHashes = codes.map(recoveryHashOf).filter((hash) => hash !== undefined);
  return changing(context, { ...request, provenHash: undefined }, async (tx, addEntry) => {
    const confirmed = await confirmSecondFactor(tx, request, { secret, step, recoveryHashes });
    if (!confirmed) throw new Refusal('second-factor-not-begun');
    const after = { recovery_codes: RECOVERY_CODES };
    await recordEvents(tx, context.cause, [{ accountId, type: 'second-factor-added', after }]);
    await addEntry(accountId, 'second-factor-added-mail', idsOf(request));
    return codes;
  });
}

type Done = 'done';

/** Undefined when the session has ended. */
export async function removeSecondFactor(
  context: HashingContext,
  { password, code, ...request }: FactorChange & { readonly password: string; readonly code: string },
): Promise<Done | undefined> {
  const { accountId } = request;
  const { passwordHash } = await proveOperator(context, { ...request, password, code });
  return changing(context, { ...request, provenHash: passwordHash }, async (tx, addEntry): Promise<Done> => {
    if (!(await deleteSecondFactor(tx, request))) throw new Refusal('second-factor-missing');
    await recordEvents(tx, context.cause, [{ accountId, type: 'second-factor-removed' }]);
    await addEntry(accountId, 'second-factor-removed-mail', idsOf(request));
    return 'done';
  });
}

/** Confirms who uses the session. Undefined when it has ended. */
export async function confirmCaller(
  context: HashingContext,
  { password, code, ...request }: FactorChange & { readonly password: string; readonly code: string | undefined },
): Promise<Done | undefined> {
  const { passwordHash } = await proveOperator(context, { ...request, password, code });
  return changing(context, { ...request, provenHash: passwordHash }, async (tx): Promise<Done> => {
    await renewProof(tx, request);
    return 'done';
  });
}

/** Whether the operator may ask the others for a second factor: who has none would shut itself out. */
export async function assertHasSecondFactor(tx: Tx, { accountId, operatorId }: Credential): Promise<void> {
  const login = operatorId === undefined ? undefined : await findLogin(tx, { accountId, operatorId });
  if (login?.secondFactorAt == null) throw new Refusal('own-second-factor-first');
}
