import { isDeepStrictEqual } from 'node:util';
import type { AccountPreferences } from '#accounts/account.js';
import { lockAccount, updateAccount } from '#accounts/account-repository.js';
import { changesBetween, recordChanges } from '#accounts/accounts.js';
import { type CausedContext, changeAccess } from '#accounts/accounts-context.js';
import type { Approvals } from '#accounts/approvals.js';
import { eventCauseOf } from '#accounts/events/event-cause.js';
import { assertTwoApprovers } from '#accounts/operators/approvers.js';
import { logEvents, singleEvent } from '#events/log-events.js';
import type { Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import { USUAL_EXPIRY_SECONDS } from './ask.js';
import { type ChangeRequest, type ChangeRequestKey, type Person, PREFERENCES } from './change-request.js';
import { assertNonePending, endChangeRequest, insertChangeRequest, lockChangeRequest } from './change-request-rows.js';
import { assertPending, type Decider, sideOf } from './decide-request.js';
import { requestEvent } from './request-plan.js';

// That less needs approval needs approval. The account's row is the target: its lock comes first.

const TARGET = 'preferences';
const EXECUTED = { state: 'executed' } as const;

const isSame = (one: Approvals | null, other: Approvals | null) => isDeepStrictEqual(one, other);

async function lockTarget(tx: Tx, accountId: bigint) {
  const account = await lockAccount(tx, accountId);
  if (account === undefined) throw new Refusal('account-not-found');
  return account;
}

export interface PreferencesRequest {
  readonly accountId: bigint;
  /** Null: no operation needs approval. */
  readonly approvals: Approvals | null;
  readonly reason: string | null;
  readonly maker: Person;
}

export const askForPreferences = (
  { transact, cause }: CausedContext,
  { accountId, approvals, reason, maker }: PreferencesRequest,
): Promise<ChangeRequest> =>
  transact(async (tx) => {
    const { preferences } = await lockTarget(tx, accountId);
    if (isSame(preferences.approvals ?? null, approvals))
      throw new ValidationError(['operation.approvals must differ from the present value']);
    await assertNonePending(tx, accountId, TARGET);
    const request = await insertChangeRequest(tx, {
      accountId,
      kind: PREFERENCES,
      operation: { type: PREFERENCES, approvals },
      target: TARGET,
      asks: 'account',
      reason,
      action: null,
      suspended: false,
      movement: undefined,
      madeBy: maker,
      expiresInSeconds: (preferences.approvals ?? approvals)?.expires_in ?? USUAL_EXPIRY_SECONDS,
    });
    logEvents(tx, singleEvent(accountId, eventCauseOf(cause), requestEvent('change_request.created', request)));
    return request;
  });

export interface PreferencesApproval extends Decider {
  readonly approvals: Approvals | null;
  readonly revision: number;
}

/** Returns when every process knows of the change. */
export const approvePreferences = (
  context: CausedContext,
  key: ChangeRequestKey,
  { approvals, revision, ...decider }: PreferencesApproval,
): Promise<ChangeRequest> =>
  changeAccess(context, key.accountId, async (tx) => {
    const before = await lockTarget(tx, key.accountId);
    const request = await lockChangeRequest(tx, key);
    assertPending(request);
    sideOf(request, decider);
    await decider.assertStillMay(tx);
    if (approvals !== null) await assertTwoApprovers(tx, key.accountId);
    if (revision !== request.revision) throw new Refusal('wager-changed');
    const { approvals: _, ...others } = before.preferences;
    const preferences: AccountPreferences = approvals === null ? others : { ...others, approvals };
    const after = (await updateAccount(tx, key.accountId, { preferences })) ?? before;
    const changes = changesBetween(before, after);
    await recordChanges(tx, context.cause, changes);
    const end = changes.length > 0 ? EXECUTED : ({ state: 'failed', failure: 'The value is this already' } as const);
    const ended = await endChangeRequest(tx, key, { ...end, at: request.lockedAt, person: decider.person });
    logEvents(
      tx,
      singleEvent(key.accountId, eventCauseOf(context.cause), requestEvent(`change_request.${end.state}`, ended)),
    );
    return ended;
  });
