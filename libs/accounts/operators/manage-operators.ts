import { type AddEntry, withOutbox } from '#jobs/outbox.js';
import type { Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { deleteAccessTokens } from '../access/access-repository.js';
import { dateNewestKey, deleteApiKeys } from '../access/api-key-repository.js';
import { type Credential, lockCaller } from '../access/caller-guard.js';
import type { CallerRole } from '../access/caller-role.js';
import { type CausedContext, changeAccess } from '../accounts-context.js';
import type { Cause } from '../events/account-event.js';
import { recordEvents } from '../events/record-events.js';
import { endResetRequests } from '../reset-codes.js';
import { deleteSecondFactor } from '../second-factor/second-factor-repository.js';
import { assertApproversLeft } from './approvers.js';
import { freeAddress, INVITATION_MAIL, idsOfInvited, shownPerson } from './invitations.js';
import { MAX_OPERATORS, type Operator, type OperatorChanges, type OperatorId } from './operator.js';
import { insertOperator } from './operator-repository.js';
import { countPeople, findOperator, isAddressOfAnother, markDeleted, updateOperator } from './people-repository.js';

// Each change locks the account, then looks at the caller and at the person. It returns undefined when the caller's
// credential has ended.

export async function readOperator(tx: Parameters<typeof findOperator>[0], id: OperatorId): Promise<Operator> {
  const operator = await findOperator(tx, id);
  if (operator === undefined) throw new Refusal('operator-not-found');
  return operator;
}

/**
 * After every change that takes a right from a person, under the lock of the account: so the last two cannot go at the same
 * time.
 */
async function assertPeopleLeft(tx: Tx, accountId: bigint): Promise<void> {
  const { activeOwners } = await countPeople(tx, accountId);
  if (activeOwners === 0) throw new Refusal('last-owner');
  await assertApproversLeft(tx, accountId);
}

export interface Invitation {
  readonly email: string;
  readonly name: string;
  readonly role: CallerRole;
}

interface Sending {
  readonly accountId: bigint;
  readonly operator: Operator;
  readonly addEntry: AddEntry;
}

/** The worker sends the mail after the commit. */
async function sendInvitation(tx: Tx, cause: Cause, { accountId, operator, addEntry }: Sending): Promise<void> {
  await recordEvents(tx, cause, [{ accountId, type: 'operator-invited', after: shownPerson(operator) }]);
  await addEntry(accountId, INVITATION_MAIL, idsOfInvited(operator.id));
}

/** The person gets a mail, and may log in when it has accepted. */
export const inviteOperator = (
  context: CausedContext,
  caller: Credential,
  invitation: Invitation,
): Promise<Operator | undefined> =>
  withOutbox(context, async (tx, addEntry) => {
    const { accountId } = caller;
    if (!(await lockCaller(tx, caller, undefined)).isAlive) return undefined;
    if ((await countPeople(tx, accountId)).all >= MAX_OPERATORS) throw new Refusal('too-many-operators');
    if (await isAddressOfAnother(tx, accountId, invitation.email)) throw new Refusal('operator-email-taken');
    await freeAddress(tx, { accountId, email: invitation.email, endedBy: context.now() });
    const operatorId = await insertOperator(tx, { accountId, ...invitation, passwordHash: null });
    if (operatorId === undefined) throw new Refusal('operator-email-taken');
    const operator = await readOperator(tx, { accountId, operatorId });
    await sendInvitation(tx, context.cause, { accountId, operator, addEntry });
    return operator;
  });

/** Another mail, which ends the invitation of the former one. */
export const inviteAgain = (
  context: CausedContext,
  caller: Credential,
  operatorId: bigint,
): Promise<Operator | undefined> =>
  withOutbox(context, async (tx, addEntry) => {
    const { accountId } = caller;
    if (!(await lockCaller(tx, caller, undefined)).isAlive) return undefined;
    const operator = await readOperator(tx, { accountId, operatorId });
    if (operator.state !== 'invited') throw new Refusal('operator-joined');
    await sendInvitation(tx, context.cause, { accountId, operator, addEntry });
    return operator;
  });

/** Ends what the person has begun: sessions, and codes for a new password. Returns how many sessions. */
async function endLogins(tx: Tx, operator: OperatorId): Promise<number> {
  await tx.prisma.resetCode.deleteMany({ where: operator });
  await endResetRequests(tx, operator);
  return deleteAccessTokens(tx, operator.accountId, { operatorId: operator.operatorId });
}

const changeable = ['name', 'role', 'state'] as const;

/** Returns after every process knows of it. The keys of a suspended person open nothing as long as it is suspended. */
export const changeOperator = (
  context: CausedContext,
  caller: Credential,
  { operatorId, ...changes }: OperatorChanges & { readonly operatorId: bigint },
): Promise<Operator | undefined> =>
  changeAccess(context, caller.accountId, async (tx) => {
    const { accountId } = caller;
    if (!(await lockCaller(tx, caller, undefined)).isAlive) return undefined;
    const key = { accountId, operatorId };
    const before = await readOperator(tx, key);
    if (changes.state !== undefined && before.state === 'invited') throw new Refusal('operator-invited');
    const after = (await updateOperator(tx, key, changes)) ?? before;
    const changed = changeable.filter((field) => before[field] !== after[field]);
    if (changed.length === 0) return after;
    await assertPeopleLeft(tx, accountId);
    const sessions = changed.includes('state') && after.state === 'suspended' ? await endLogins(tx, key) : undefined;
    const of = (operator: Operator) => Object.fromEntries(changed.map((field) => [field, operator[field]]));
    const told = {
      before: { ...of(before), sessions },
      after: { id: Number(after.id), name: after.name, ...of(after) },
    };
    await recordEvents(tx, context.cause, [{ accountId, type: 'operator-changed', ...told }]);
    return after;
  });

/** Ends all that the person has and made. Its name stays in trails; its address may be invited again. */
export const removeOperator = (
  context: CausedContext,
  caller: Credential,
  operatorId: bigint,
): Promise<Operator | undefined> =>
  changeAccess(context, caller.accountId, async (tx) => {
    const { accountId } = caller;
    if (!(await lockCaller(tx, caller, undefined)).isAlive) return undefined;
    const key = { accountId, operatorId };
    const operator = await readOperator(tx, key);
    await markDeleted(tx, key);
    await assertPeopleLeft(tx, accountId);
    const sessions = await endLogins(tx, key);
    const apiKeys = await deleteApiKeys(tx, accountId, { operatorId });
    if (apiKeys.length > 0) await dateNewestKey(tx, accountId, context.now());
    const ended = { sessions, api_keys: apiKeys.map(({ id, name }) => ({ id: Number(id), name })) };
    const before = { ...shownPerson(operator), ...ended };
    await recordEvents(tx, context.cause, [{ accountId, type: 'operator-deleted', before }]);
    return operator;
  });

/** Of a person who has lost it, for whom the caller vouches. Whoever stole the phone may have sessions: they end. */
export const removeLostFactor = (
  context: CausedContext,
  caller: Credential,
  operatorId: bigint,
): Promise<Operator | undefined> =>
  changeAccess(context, caller.accountId, async (tx, addEntry) => {
    const { accountId } = caller;
    if (!(await lockCaller(tx, caller, undefined)).isAlive) return undefined;
    if (operatorId === caller.operatorId) throw new Refusal('own-factor-with-code');
    const key = { accountId, operatorId };
    const operator = await readOperator(tx, key);
    if (!(await deleteSecondFactor(tx, key))) throw new Refusal('second-factor-missing');
    const before = { id: Number(operator.id), name: operator.name, sessions: await endLogins(tx, key) };
    await recordEvents(tx, context.cause, [{ accountId, type: 'second-factor-removed', before }]);
    await addEntry(accountId, 'second-factor-removed-mail', { operatorId: String(operatorId) });
    return operator;
  });
