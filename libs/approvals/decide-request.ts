import type { Operation } from '#core/operation.js';
import { suspensionOf } from '#core/wager-status.js';
import type { Replayed } from '#idempotency/stored-answers.js';
import type { Call } from '#ledger/ledger.js';
import type { SharedTables, Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type ApprovalsContext, ledgerOperationOf } from './ask.js';
import type {
  ChangeRequest,
  ChangeRequestKey,
  OperationMovement,
  Person,
  RequestedOperation,
  Side,
} from './change-request.js';
import { endChangeRequest, lockChangeRequest, noteApproval, readChangeRequest } from './change-request-rows.js';
import {
  findUnnamedMovement,
  type LockedWager,
  lockTarget,
  lockWager,
  nameUsersOf,
  type UnnamedMovement,
} from './movement.js';
import { effectsOf, type Plan, type PlanContext, requestEvent, runPlan } from './request-plan.js';

// A request is locked after what it is about, as everywhere.

/** Who decides. */
export interface Decider {
  readonly person: Person;
  /** For whom the person may approve: its account, or the admins. */
  readonly sides: readonly Side[];
  /** Throws when the person may decide no more: a decision may have waited for its turn, and for locks. */
  readonly assertStillMay: (tables: SharedTables | Tx) => Promise<void>;
}

interface Presented {
  readonly call: Call;
  readonly present: (request: ChangeRequest) => object;
}

export interface Approval extends Decider, Presented {
  readonly operation: RequestedOperation;
  /** That the person has seen. */
  readonly revision: number;
  readonly goOn: () => void;
  readonly showMovement: (movement: OperationMovement) => object;
}

export function assertPending({ state, isDue }: Pick<ChangeRequest, 'state'> & { readonly isDue: boolean }): void {
  if (state === 'expired' || (state === 'pending' && isDue)) throw new Refusal('change-request-expired');
  if (state !== 'pending') throw new Refusal('change-request-decided');
}

/** Refuses the maker, and whoever gave the first approval. Returns the side that the person approves for. */
export function sideOf({ madeBy, asks, approvedBy, approvedAs }: ChangeRequest, { person, sides }: Decider): Side {
  if (madeBy.id === person.id || approvedBy?.id === person.id) throw new Refusal('own-change-request');
  const all: readonly Side[] = asks === 'both' ? ['account', 'admin'] : [asks];
  const side = all.find((each) => each !== approvedAs && sides.includes(each));
  if (side === undefined) throw new Refusal('other-side-approves');
  return side;
}

const isLast = ({ asks, approvedAs }: ChangeRequest): boolean => asks !== 'both' || approvedAs !== null;

/** A request as the transaction leaves it. */
interface Held {
  request: ChangeRequest;
}

const requestIn = (held: Held | Replayed): ChangeRequest | Replayed => ('request' in held ? held.request : held);

/** Approves a request. The last approval does the operation in the same transaction, when it moves exactly what was shown. */
export async function approveChangeRequest(
  context: ApprovalsContext,
  key: ChangeRequestKey,
  approval: Approval,
): Promise<ChangeRequest | Replayed> {
  const { call, operation, present } = approval;
  const held = await runPlan<Held>(context, { accountId: key.accountId, call }, async (tx) => {
    const target = await lockTarget(tx, key.accountId, operation);
    const request = await lockChangeRequest(tx, key);
    assertPending(request);
    const side = sideOf(request, approval);
    const movement =
      target && (await findUnnamedMovement(tx, key.accountId, { operation, user: target.user }, approval));
    await assertAsShown(tx, { request, movement, approval });
    await approval.assertStillMay(context.database.shared);
    const ofHeld = (end: (failure: string | undefined) => Promise<ChangeRequest>, done: readonly Operation[] = []) =>
      heldPlan(request, { operations: done, end, present });
    const { person } = approval;
    if (!isLast(request)) return ofHeld(() => noteApproval(tx, key, { person, side }));
    const { action } = request;
    const done = await ledgerOperationOf(
      tx,
      { accountId: key.accountId, operation, action },
      { bound: context.settlementBound, moving: movement?.moving },
    );
    return ofHeld(
      (failure) => {
        const state = failure === undefined ? 'executed' : 'failed';
        return endChangeRequest(tx, key, { state, at: request.lockedAt, person, failure });
      },
      [...resumesOf(request, target?.wager), done],
    );
  });
  return requestIn(held);
}

/** Whether the operation would still do what was shown: to whom it pays how much, and where the wager stands. */
export function isAsShown(
  { revision, digest, suspended }: ChangeRequest,
  { figures, digests }: UnnamedMovement,
): boolean {
  return figures.refusal === null && figures.revision === revision && digests[suspended ? 'money' : 'whole'] === digest;
}

/** Refuses with what it would move now. */
async function assertAsShown(
  tx: Tx,
  {
    request,
    movement,
    approval,
  }: { request: ChangeRequest; movement: UnnamedMovement | undefined; approval: Approval },
): Promise<void> {
  if (approval.revision === request.revision && movement !== undefined && isAsShown(request, movement)) return;
  if (movement === undefined) throw new Refusal('wager-changed');
  const preview = approval.showMovement(await nameUsersOf(tx, request.accountId, movement));
  throw new Refusal('wager-changed', { details: { preview } });
}

interface HeldOptions {
  /** The last one may be refused. */
  readonly operations: readonly Operation[];
  /** Writes the end of the request, or its first approval. */
  readonly end: (failure: string | undefined) => Promise<ChangeRequest>;
  readonly present: (request: ChangeRequest) => object;
}

/** A refusal by the ledger, as of a withdrawal for which the money is gone, is the end of the request. */
function heldPlan(request: ChangeRequest, { operations, end, present }: HeldOptions): Plan<Held> {
  const held: Held = { request };
  let failure: string | undefined;
  return {
    effect: operations.length === 0 ? undefined : effectsOf(operations),
    doneAs: () => held,
    refusedAs: ({ text }) => {
      failure = text;
      return held;
    },
    async write() {
      held.request = await end(failure);
      const { state } = held.request;
      return [requestEvent(`change_request.${state === 'pending' ? 'approved' : state}`, held.request)];
    },
    body: ({ request: ended }) => present(ended),
  };
}

interface Ending extends Presented {
  readonly end: {
    readonly state: 'rejected' | 'withdrawn' | 'expired';
    readonly person?: Person;
    readonly reason?: string;
  };
  /** Throws when the request must not end so. */
  readonly check: (request: ChangeRequest & { isDue: boolean }) => void | Promise<void>;
}

const WAGER = /^wager:(\d+)$/;

async function lockWagerOf(tx: Tx, key: ChangeRequestKey): Promise<LockedWager | undefined> {
  const [, wagerId] = WAGER.exec((await readChangeRequest(tx, key)).target) ?? [];
  return wagerId === undefined ? undefined : lockWager(tx, key.accountId, BigInt(wagerId));
}

/** What the request has suspended takes offers again when it ends, unless somebody else has suspended it since. */
const resumesOf = ({ suspended, id }: ChangeRequest, wager: LockedWager | undefined): readonly Operation[] =>
  suspended && wager?.suspendedFor === suspensionOf(id)
    ? [{ type: 'resume_wager', wagerReference: wager.reference }]
    : [];

/** Ends a request without its operation. */
async function endWithoutEffect(
  context: PlanContext,
  key: ChangeRequestKey,
  { call, present, end: { state, person, reason }, check }: Ending,
): Promise<ChangeRequest | Replayed> {
  const held = await runPlan<Held>(context, { accountId: key.accountId, call }, async (tx) => {
    const wager = await lockWagerOf(tx, key);
    const request = await lockChangeRequest(tx, key);
    await check(request);
    // A wager that was closed or decided meanwhile stays so.
    const end = () => endChangeRequest(tx, key, { state, at: request.lockedAt, person, reason });
    return heldPlan(request, { operations: resumesOf(request, wager), end, present });
  });
  return requestIn(held);
}

export const rejectChangeRequest = (
  context: PlanContext,
  key: ChangeRequestKey,
  { reason, ...decider }: Decider & Presented & { readonly reason: string },
): Promise<ChangeRequest | Replayed> =>
  endWithoutEffect(context, key, {
    ...decider,
    end: { state: 'rejected', person: decider.person, reason },
    async check(request) {
      assertPending(request);
      const { madeBy, asks } = request;
      if (madeBy.id === decider.person.id) throw new Refusal('own-change-request');
      if (asks !== 'both' && !decider.sides.includes(asks)) throw new Refusal('other-side-approves');
      await decider.assertStillMay(context.database.shared);
    },
  });

export const withdrawChangeRequest = (
  context: PlanContext,
  key: ChangeRequestKey,
  { person, ...presented }: Presented & { readonly person: Person },
): Promise<ChangeRequest | Replayed> =>
  endWithoutEffect(context, key, {
    ...presented,
    end: { state: 'withdrawn', person },
    check(request) {
      assertPending(request);
      if (request.madeBy.id !== person.id) throw new Refusal('not-the-maker');
    },
  });

/** The time of a request has come. One that somebody has just decided stays so. */
export async function expireChangeRequest(context: PlanContext, key: ChangeRequestKey): Promise<void> {
  const ended = endWithoutEffect(context, key, {
    call: { cause: { actor: 'worker', requestId: null } },
    present: () => ({}),
    end: { state: 'expired' },
    check({ state, isDue }) {
      if (state !== 'pending' || !isDue) throw new Refusal('change-request-decided');
    },
  });
  await ended.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}
