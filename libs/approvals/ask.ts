import type { Approvals } from '#accounts/approvals.js';
import { isDecided } from '#core/impact.js';
import { microsFromNumber } from '#core/money.js';
import type { Operation } from '#core/operation.js';
import type { AdminAction } from '#core/records.js';
import { suspensionOf } from '#core/wager-status.js';
import type { Replayed } from '#idempotency/stored-answers.js';
import { countPendingUnder } from '#ledger/pending-bets.js';
import { InTheWay } from '#ledger/unit-of-work.js';
import type { AccountTables, Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import {
  type Asks,
  type ChangeRequest,
  CORRECTION,
  type OperationMovement,
  type Person,
  type RequestedOperation,
  type RequestKind,
} from './change-request.js';
import { assertNonePending, insertChangeRequest } from './change-request-rows.js';
import { findMovement, lockTarget, lockWagersOf, type Target } from './movement.js';
import {
  type Effect,
  effectOf,
  type Plan,
  type PlanContext,
  type PlanScope,
  requestEvent,
  runPlan,
} from './request-plan.js';

export interface ApprovalsContext extends PlanContext {
  /** How many bets a decision settles in its own transaction at most. */
  readonly settlementBound: number;
  /** Whether a forced outcome, and a correction by the business of its own decision, need another admin. */
  readonly needsAdmin: boolean;
}

/** An operation, and who asks for it. */
export interface Asked extends PlanScope {
  readonly kind: RequestKind;
  /** As the API takes it. */
  readonly given: object;
  readonly operation: RequestedOperation;
  readonly action: AdminAction | null;
  readonly maker: Person;
  /** Throws when nobody waits for it any more. */
  readonly goOn: () => void;
}

const FORCED_BY_ADMINS = ['force_update_outcome', 'force_update_override_outcome'] as const;
const FORCED: ReadonlySet<RequestKind> = new Set<RequestKind>([...FORCED_BY_ADMINS, CORRECTION]);
const BY_ADMINS: ReadonlySet<RequestKind> = new Set<RequestKind>([...FORCED_BY_ADMINS, 'set_inactive', 'set_active']);
export const USUAL_EXPIRY_SECONDS = 86_400;

/** Whether an operation of this kind may need approval: most need no further look. */
export const mayNeedApproval = (
  kind: RequestKind,
  approvals: Approvals | null | undefined,
  { needsAdmin }: Pick<ApprovalsContext, 'needsAdmin'>,
): boolean => isAmong(approvals?.kinds ?? [], kind) || isForced(kind, needsAdmin);

const isAmong = (kinds: readonly RequestKind[], kind: RequestKind): boolean =>
  kinds.includes(kind === CORRECTION ? 'update_wager_outcome' : kind);

const isForced = (kind: RequestKind, needsAdmin: boolean): boolean => needsAdmin && FORCED.has(kind);

const sidesOf = (account: boolean, admin: boolean): Asks | undefined => {
  if (account) return admin ? 'both' : 'account';
  return admin ? 'admin' : undefined;
};

async function readApprovals(tx: Tx, accountId: bigint): Promise<Approvals | null> {
  const [row] = await tx.$queryRaw<{ approvals: Approvals | null }[]>`
    SELECT preferences -> 'approvals' AS approvals FROM accounts WHERE id = ${accountId}`;
  return row?.approvals ?? null;
}

interface Seen {
  readonly target: Target;
  readonly movement: OperationMovement;
}

interface Look {
  /** Undefined: there is nothing to lock, or the ledger refuses the operation. */
  readonly seen: Seen | undefined;
  /** After the operation: throws when it was done although the look saw nothing that it could do. */
  readonly assertStillSo: () => Promise<never[]>;
}

const nothing = async () => [];

/** Locks the wager until the transaction ends, so nothing slips between this look and the effect. */
async function lookAt(tx: Tx, { accountId, operation, goOn }: Asked): Promise<Look> {
  const target = await lockTarget(tx, accountId, operation);
  if (target === undefined) {
    // Nothing is locked. When another transaction has made the wager or user since, the retry looks again.
    const assertStillSo = async () => {
      if ((await lockTarget(tx, accountId, operation)) !== undefined)
        throw new InTheWay('its wager was made meanwhile');
      return [];
    };
    return { seen: undefined, assertStillSo };
  }
  const movement = await findMovement(tx, accountId, { operation, user: target.user }, { goOn });
  if (movement === undefined) throw new Refusal('too-large-to-approve');
  if (movement.figures.refusal === null) return { seen: { target, movement }, assertStillSo: nothing };
  const assertStillSo = async () => {
    throw new Error('an operation was done that its preview said would be refused');
  };
  return { seen: undefined, assertStillSo };
}

interface LedgerOperationOptions {
  /** How many bets a decision settles in its own transaction at most. */
  readonly bound: number;
  /** How many bets it would move, where that is known. */
  readonly moving?: number | undefined;
}

const MANY_PENDING = 10_000;
const BOUND_WITH_MANY = 100;

/** Of many bets the worker settles nearly all anyway, so the decision settles few of them, and is answered sooner. */
const boundFor = (pending: number, bound: number): number =>
  pending < MANY_PENDING ? bound : Math.min(bound, BOUND_WITH_MANY);

export async function ledgerOperationOf(
  tables: AccountTables | Tx,
  { accountId, operation, action }: Pick<Asked, 'accountId' | 'operation' | 'action'>,
  { bound, moving }: LedgerOperationOptions,
): Promise<Operation> {
  if (operation.type === 'withdraw') return operation;
  if (!('outcome' in operation)) return { ...operation, action } as Operation;
  const { outcome, voidMatchedAfter = null } = operation;
  const reference = operation.type === 'update_wager_outcome' ? operation.reference : operation.wagerReference;
  const pendingBefore =
    moving ?? (await countPendingUnder(tables, { accountId, reference, outcome, voidMatchedAfter }));
  return { ...operation, action, bound: boundFor(pendingBefore, bound), pendingBefore } as Operation;
}

export interface Presenting<Answer> {
  present(answer: Answer): object;
  presentRequest(request: ChangeRequest): object;
}

/** What was done, or the request that was made instead. */
export type DoneOrAsked<Answer> = { readonly done: Answer } | { readonly asked: ChangeRequest };

/** Does an operation at once, or makes a change request where the account wants another person's approval. */
export const doOrAsk = <Answer>(
  context: ApprovalsContext,
  asked: Asked,
  { present, presentRequest }: Presenting<Answer>,
): Promise<DoneOrAsked<Answer> | Replayed> =>
  runPlan<DoneOrAsked<Answer>>(context, asked, async (tx) => {
    const approvals = await readApprovals(tx, asked.accountId);
    const mayNeed = mayNeedApproval(asked.kind, approvals, context);
    const { seen, assertStillSo } = mayNeed ? await lookAt(tx, asked) : { seen: undefined, assertStillSo: nothing };
    const asks = seen && asksOf(context, asked.kind, { approvals, ...seen });
    const body = (result: DoneOrAsked<Answer>) =>
      'done' in result ? present(result.done) : presentRequest(result.asked);
    if (seen === undefined || asks === undefined) {
      const options = { bound: context.settlementBound, moving: seen?.movement.moving };
      const effect = effectOf(await ledgerOperationOf(tx, asked, options));
      return { effect, doneAs: (answer) => ({ done: answer as Answer }), write: assertStillSo, body };
    }
    const made = { ...seen, asks, reason: null, suspended: false, expiresInSeconds: expiryOf(approvals) };
    const request = await insertRequest(tx, asked, made);
    return {
      effect: undefined,
      doneAs: () => ({ asked: request }),
      write: async () => [requestEvent('change_request.created', request)],
      status: 202,
      body,
    };
  });

const asksOf = (
  { needsAdmin }: ApprovalsContext,
  kind: RequestKind,
  { approvals, movement }: { readonly approvals: Approvals | null; readonly movement: OperationMovement },
): Asks | undefined => {
  const above = microsFromNumber(approvals?.above ?? 0) ?? 0n;
  return sidesOf(isAmong(approvals?.kinds ?? [], kind) && movement.figures.moved > above, isForced(kind, needsAdmin));
};

const expiryOf = (approvals: Approvals | null): number => approvals?.expires_in ?? USUAL_EXPIRY_SECONDS;

interface NewRequest extends Pick<ChangeRequest, 'asks' | 'reason' | 'suspended'> {
  readonly target: Target;
  readonly movement: OperationMovement;
  readonly expiresInSeconds: number;
}

async function insertRequest(tx: Tx, asked: Asked, { target, movement, ...made }: NewRequest): Promise<ChangeRequest> {
  const { accountId, kind, given, action, maker } = asked;
  await assertNonePending(tx, accountId, target.name);
  const about = { accountId, kind, operation: given, target: target.name, action, movement, madeBy: maker };
  return insertChangeRequest(tx, { ...about, ...made });
}

/**
 * Does a batch with one operation that may need approval; refuses the whole batch when it does need it. What the batch does
 * before the operation must not change what it moves.
 */
export const doUnlessAsked = <Answer>(
  context: ApprovalsContext,
  asked: Asked,
  { effect, present }: { readonly effect: Effect; present(answer: Answer): object },
): Promise<{ readonly done: Answer } | Replayed> =>
  runPlan<{ readonly done: Answer }>(context, asked, async (tx) => {
    const approvals = await readApprovals(tx, asked.accountId);
    await lockWagersOf(tx, asked.accountId, effect);
    const { seen, assertStillSo } = await lookAt(tx, asked);
    if (seen !== undefined && asksOf(context, asked.kind, { approvals, ...seen }) !== undefined)
      throw new Refusal('approval-required');
    const doneAs = (answer: unknown) => ({ done: answer as Answer });
    return { effect, doneAs, write: assertStillSo, body: ({ done }) => present(done) };
  });

export interface RequestOptions {
  /** Null: the operation was sent to its own route. */
  readonly reason: string | null;
  /** Of the answer; undefined: that of the route. */
  readonly status?: number;
  /** Whether its wager takes no offers until it is decided. */
  readonly suspend: boolean;
  readonly present: (request: ChangeRequest) => object;
}

/** Such a request would be executed without an effect, which the audit looks for. */
const changesNothing = (operation: RequestedOperation): boolean =>
  operation.type === 'update_wager_outcome' && !isDecided(operation.outcome);

/** Makes a change request, whatever its operation moves. Refuses what the ledger would refuse now. */
export const makeChangeRequest = (
  context: ApprovalsContext,
  asked: Asked,
  { reason, suspend, status, present }: RequestOptions,
): Promise<ChangeRequest | Replayed> =>
  runPlan<ChangeRequest>(context, asked, async (tx) => {
    if (changesNothing(asked.operation))
      throw new ValidationError(['operation.outcome must not be undecided: it would change nothing']);
    const approvals = await readApprovals(tx, asked.accountId);
    const { seen, assertStillSo } = await lookAt(tx, asked);
    if (seen === undefined) {
      const effect = effectOf(await ledgerOperationOf(tx, asked, { bound: context.settlementBound }));
      return refusedPlan(effect, assertStillSo);
    }
    const { wager } = seen.target;
    const suspended = suspend && wager?.isOpen === true;
    const asks = sidesOfRequest(context, asked.kind, approvals);
    const made = { ...seen, asks, reason, suspended, expiresInSeconds: expiryOf(approvals) };
    const request = await insertRequest(tx, asked, made);
    return {
      effect: suspended ? suspensionBy(request, wager.reference) : undefined,
      doneAs: () => request,
      write: async () => [requestEvent('change_request.created', request)],
      ...(status !== undefined && { status }),
      body: present,
    };
  });

const suspensionBy = ({ id }: ChangeRequest, wagerReference: string): Effect =>
  effectOf({ type: 'suspend_wager', wagerReference, reason: suspensionOf(id), cancelOffers: false });

function sidesOfRequest({ needsAdmin }: ApprovalsContext, kind: RequestKind, approvals: Approvals | null): Asks {
  const isOfAccount = !BY_ADMINS.has(kind) || mayNeedApproval(kind, approvals, { needsAdmin: false });
  return sidesOf(isOfAccount, isForced(kind, needsAdmin)) ?? 'admin';
}

/** The ledger refuses the operation: its refusal is the answer. What it does all the same is undone. */
const refusedPlan = (effect: Effect, assertStillSo: Look['assertStillSo']): Plan<ChangeRequest> => ({
  effect,
  doneAs: () => undefined as never,
  async write() {
    await assertStillSo();
    throw new InTheWay('it is refused no more');
  },
  body: () => ({}),
});
