import { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import { assertStillMay } from '#accounts/access/caller-guard.js';
import type { Approvals } from '#accounts/approvals.js';
import {
  type Asked,
  type DoneOrAsked,
  doOrAsk,
  doUnlessAsked,
  ledgerOperationOf,
  makeChangeRequest,
  mayNeedApproval,
} from '#approvals/ask.js';
import type { ChangeRequest, Person, RequestedOperation, RequestKind } from '#approvals/change-request.js';
import type { Decider } from '#approvals/decide-request.js';
import type { Effect } from '#approvals/request-plan.js';
import { asMicros, numberFromMicros } from '#core/money.js';
import type { Operation } from '#core/operation.js';
import type { AdminAction } from '#core/records.js';
import { assertWanted } from '#http/answer.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { Refusal, type RefusalCode } from '#platform/errors/refusal.js';
import { AcceptedAnswer, type EndpointCall } from '../endpoint.js';
import { id } from '../fields/answers.js';
import type { ApiServices } from '../services.js';
import { isActiveAdmin } from './visible-accounts.js';

// Operations that another person must approve: the routes that do them make a change request instead.

const REQUIRED = 'Approval required';

export const pendingRequest = z.strictObject({ id: id('Its id.'), state: z.literal('pending') });

export const approvalRequired = z
  .strictObject({
    message: z.literal(REQUIRED),
    change_request: pendingRequest.meta({ description: 'What another person must approve.' }),
  })
  .meta({
    id: 'ApprovalRequired',
    description: 'The account wants another person to approve this: nothing is done yet.',
    examples: [{ message: REQUIRED, change_request: { id: 5, state: 'pending' } }],
  });

/** Of routes whose operation may need approval. */
export const approvalRefusals = [
  'change-request-pending',
  'too-large-to-approve',
] as const satisfies readonly RefusalCode[];

export const presentRequired = ({ id: requestId }: Pick<ChangeRequest, 'id'>): z.output<typeof approvalRequired> => ({
  message: REQUIRED,
  change_request: { id: Number(requestId), state: 'pending' },
});

export const personOf = ({ operator, apiKey, account }: Caller): Person => ({
  id: operator?.id ?? null,
  name: operator?.name ?? apiKey?.name ?? account.name,
});

/** Machines make requests, people decide them. */
export function deciderOf(caller: Caller, accountId: bigint): Decider {
  const { account, operator, tokenId } = caller;
  if (tokenId === undefined || operator === undefined) throw new Refusal('people-approve');
  const isOwn = account.accountId === accountId;
  const session = { accountId: account.accountId, tokenId };
  return {
    person: personOf(caller),
    assertStillMay: (tables) => assertStillMay(tables, session, 'approver'),
    sides: [...(isOwn ? ['account' as const] : []), ...(isActiveAdmin(caller) ? ['admin' as const] : [])],
  };
}

/** An operation of a route. */
export interface Guarded {
  readonly caller: Caller;
  readonly call: EndpointCall;
  /** Whose ledger it is about, and what needs approval there. */
  readonly accountId: bigint;
  readonly approvals: Approvals | null | undefined;
  readonly kind: RequestKind;
  /** The body, as `POST /change-requests` takes it. */
  readonly given: object;
  readonly operation: RequestedOperation;
  readonly action?: AdminAction | undefined;
}

/** Of an operation on the caller's own ledger. */
export const ownLedger = (caller: Caller, call: EndpointCall) => ({
  caller,
  call,
  accountId: caller.account.accountId,
  approvals: caller.account.approvals,
});

/** A body as JSON stores it: its schema reads it again. The only integers of that size in a body are amounts. */
const storedForm = (given: object): object =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (typeof value === 'bigint') return [[name, numberFromMicros(asMicros(value))]];
      return [[name, value instanceof Date ? value.toISOString() : value]];
    }),
  );

export const askedOf = ({ caller, call, accountId, kind, given, operation, action }: Guarded): Asked => ({
  accountId,
  call,
  kind,
  given: { type: kind, ...storedForm(given) },
  operation,
  action: action ?? null,
  maker: personOf(caller),
  goOn: () => assertWanted(call.deadline),
});

/**
 * As the ledger takes it. The bets of a decision are counted outside the ledger's transaction, which reads no more bets than it
 * moves: others may change the number since.
 */
export const wholeOperationOf = (
  { accountId, operation, action }: Guarded,
  { database, settlementBound: bound }: ApiServices['approvals'],
): Promise<Operation> =>
  ledgerOperationOf(database.of(accountId), { accountId, operation, action: action ?? null }, { bound });

/** Does the operation, or asks for its approval. */
export async function executeOrAsk<Answer, Body extends object>(
  { approvals: context, inApprovalTurn, ledger }: Pick<ApiServices, 'approvals' | 'inApprovalTurn' | 'ledger'>,
  guarded: Guarded,
  present: (answer: Answer) => Body,
): Promise<Body | Replayed | AcceptedAnswer> {
  if (!mayNeedApproval(guarded.kind, guarded.approvals, context)) {
    const operation = await wholeOperationOf(guarded, context);
    const answering = { call: guarded.call, present: (answer: unknown) => present(answer as Answer) };
    return ledger.execute(guarded.accountId, operation, answering);
  }
  const result: DoneOrAsked<Answer> | Replayed = await inApprovalTurn(guarded.caller.account, () =>
    doOrAsk<Answer>(context, askedOf(guarded), { present, presentRequest: presentRequired }),
  );
  if (result instanceof Replayed) return result;
  return 'done' in result ? present(result.done) : new AcceptedAnswer(presentRequired(result.asked));
}

/** For a withdrawal: its amount says without a look whether it needs approval. */
export async function askFirst(
  { approvals: context }: Pick<ApiServices, 'approvals'>,
  guarded: Guarded,
): Promise<Replayed | AcceptedAnswer> {
  const options = { reason: null, suspend: false, status: 202, present: presentRequired };
  const made = await makeChangeRequest(context, askedOf(guarded), options);
  return made instanceof Replayed ? made : new AcceptedAnswer(presentRequired(made));
}

interface BatchOf<Answer, Body extends object> {
  readonly effect: Effect;
  readonly present: (answer: Answer) => Body;
}

/** Does a batch with an operation that may need approval; where it does, the whole batch is refused. */
export async function executeUnlessAsked<Answer, Body extends object>(
  { approvals: context, inApprovalTurn }: Pick<ApiServices, 'approvals' | 'inApprovalTurn'>,
  guarded: Guarded,
  { effect, present }: BatchOf<Answer, Body>,
): Promise<Body | Replayed> {
  const result = await inApprovalTurn(guarded.caller.account, () =>
    doUnlessAsked<Answer>(context, askedOf(guarded), { effect, present }),
  );
  return result instanceof Replayed ? result : present(result.done);
}
