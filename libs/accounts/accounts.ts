import { logEvents, singleEvent } from '#events/log-events.js';
import type { SharedTables, Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { assertProven, type Credential, lockCaller } from './access/caller-guard.js';
import { endAccess } from './access/end-access.js';
import type { Account, AccountChanges, AccountPreferences } from './account.js';
import { findAccount, lockAccount, lockAdmins, updateAccount } from './account-repository.js';
import { type CausedContext, changeAccess } from './accounts-context.js';
import { type Approvals, isLooser } from './approvals.js';
import type { Cause, NewEvent } from './events/account-event.js';
import { eventCauseOf } from './events/event-cause.js';
import { recordEvents } from './events/record-events.js';
import { assertTwoApprovers } from './operators/approvers.js';
import { assertHasSecondFactor } from './second-factor/second-factor.js';

export async function readAccount(tables: SharedTables | Tx, id: bigint): Promise<Account> {
  const account = await findAccount(tables, id);
  if (account === undefined) throw new Refusal('account-not-found');
  return account;
}

/** An active admin is always left, to undo what the others did. */
async function assertAdminLeft(tx: Tx, id: bigint, { role, status }: AccountChanges): Promise<void> {
  if (role !== 'business' && status !== 'suspended') return;
  const [admin, ...others] = await lockAdmins(tx, id);
  if (admin !== id || others.length > 0) return;
  throw new Refusal(role === 'business' ? 'last-admin' : 'last-admin-active');
}

const recorded = {
  name: 'name-changed',
  preferences: 'preferences-changed',
  role: 'role-changed',
  status: 'status-changed',
  currency: 'currency-changed',
  decimals: 'decimals-changed',
} as const;

/** Records changes of one account, each by itself and all together in its event log. */
export async function recordChanges(tx: Tx, cause: Cause, changes: readonly NewEvent[]): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  await recordEvents(tx, cause, changes);
  const { accountId } = first;
  const after = Object.assign({}, ...changes.map((change) => change.after)) as Record<string, unknown>;
  const extra = Object.fromEntries(Object.entries(after).filter(([field]) => field in recorded));
  logEvents(tx, singleEvent(accountId, eventCauseOf(cause), { kind: 'account.updated', ref: accountId, extra }));
}

export function changesBetween(before: Account, after: Account): NewEvent[] {
  return (Object.keys(recorded) as (keyof typeof recorded)[])
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({
      accountId: after.id,
      type: recorded[field],
      before: { [field]: before[field] },
      after: { [field]: after[field] },
    }));
}

/** The people of an account alone say which operations they approve. */
function withOwnApprovals({ preferences, ...changes }: AccountChanges, before: Account | undefined): AccountChanges {
  if (preferences === undefined) return changes;
  return { ...changes, preferences: { ...preferences, approvals: before?.preferences.approvals } };
}

/** Returns after every process knows of the change, so that a removed role grants nothing afterwards. */
export async function changeAccount(context: CausedContext, id: bigint, changes: AccountChanges): Promise<Account> {
  return changeAccess(context, id, async (tx) => {
    await assertAdminLeft(tx, id, changes);
    const before = await lockAccount(tx, id);
    if (before?.sandboxOf != null && changes.role === 'admin') throw new Refusal('sandbox-as-admin');
    const after = await updateAccount(tx, id, withOwnApprovals(changes, before));
    if (before === undefined || after === undefined) throw new Refusal('account-not-found');
    await recordChanges(tx, context.cause, changesBetween(before, after));
    return after;
  });
}

export interface OwnPreferencesChange extends Credential {
  readonly changed: Pick<AccountPreferences, 'confirm_keys' | 'require_second_factor'> & {
    /** Null: no operation needs approval. */
    readonly approvals?: Approvals | null | undefined;
    /** Null: the usual amount. */
    readonly confirm_amounts_above?: number | null | undefined;
  };
  /** The hash of the password that the caller has proved to know; undefined: it gave none. */
  readonly provenHash: string | undefined;
}

function withChanges(before: AccountPreferences, changed: OwnPreferencesChange['changed']): AccountPreferences {
  const { confirm_amounts_above: bound = before.confirm_amounts_above, approvals = before.approvals } = changed;
  return { ...before, ...changed, confirm_amounts_above: bound ?? undefined, approvals: approvals ?? undefined };
}

/** Nobody may ask for what would shut the account's people out. */
async function assertPeopleAllow(
  tx: Tx,
  credential: Credential,
  { approvals, require_second_factor: requiresFactor }: OwnPreferencesChange['changed'],
): Promise<void> {
  if (requiresFactor === true) await assertHasSecondFactor(tx, credential);
  if (approvals != null) await assertTwoApprovers(tx, credential.accountId);
}

/**
 * The preferences that an account sets itself. Of whether whoever gives access to it must know its password, a stolen token
 * may ask for more, and never for less. Undefined when the caller's credential has ended.
 */
export async function changeOwnPreferences(
  context: CausedContext,
  { changed, provenHash, ...credential }: OwnPreferencesChange,
): Promise<AccountPreferences | undefined> {
  const { accountId } = credential;
  return changeAccess(context, accountId, async (tx) => {
    const guard = await lockCaller(tx, credential, provenHash);
    if (!guard.isAlive) return undefined;
    if (changed.confirm_keys === false) assertProven(guard, provenHash);
    const before = await readAccount(tx, accountId);
    const preferences = withChanges(before.preferences, changed);
    if (isLooser(before.preferences.approvals, preferences.approvals)) throw new Refusal('approval-required');
    await assertPeopleAllow(tx, credential, changed);
    const after = (await updateAccount(tx, accountId, { preferences })) ?? before;
    await recordChanges(tx, context.cause, changesBetween(before, after));
    return after.preferences;
  });
}

/** Ends every session, API key and webhook endpoint of an account; it returns when no process lets them in any more. */
export async function endAccountAccess(context: CausedContext, id: bigint): Promise<void> {
  await changeAccess(context, id, async (tx) => {
    if ((await lockAccount(tx, id)) === undefined) throw new Refusal('account-not-found');
    await endAccess(tx, id, context.cause);
  });
}
