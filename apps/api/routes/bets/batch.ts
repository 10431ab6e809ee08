import { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import { includesRole } from '#accounts/access/caller-role.js';
import { mayNeedApproval } from '#approvals/ask.js';
import { batchEffect } from '#approvals/request-plan.js';
import type { AcceptedOffer } from '#core/accept-offer.js';
import type { CanceledOffers } from '#core/cancel-offer.js';
import type { WagerDecided } from '#core/decide-wager.js';
import type { MadeOffer } from '#core/make-offer.js';
import type { BatchAnswer, BatchItem } from '#core/operation.js';
import { reject } from '#core/rejection.js';
import type { AnsweredWager } from '#core/wager-status.js';
import * as fields from '#http/fields.js';
import { Refusal } from '#platform/errors/refusal.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly, text } from '../../fields/answers.js';
import { executeUnlessAsked, type Guarded, wholeOperationOf } from '../../guards/approval.js';
import { type EndpointName, leastRoleOf } from '../../roles.js';
import type { ApiServices } from '../../services.js';
import {
  closeInBatch,
  closeOf,
  presentAnswered,
  resumeInBatch,
  resumeOf,
  suspendInBatch,
  suspendOf,
  suspendRefusals,
} from '../wagers/status-change.js';
import { listedWager } from '../wagers/wager.js';
import {
  acceptedOffer,
  acceptOfferBody,
  acceptOfferOf,
  acceptOfferRefusals,
  presentAcceptedOffers,
} from './accept-offer.js';
import {
  batchCancelOfferBody,
  canceledOffers,
  cancelOfferOf,
  cancelOfferRefusals,
  presentCanceledOffers,
} from './cancel-offer.js';
import { decideWagerBody, decideWagerRefusals, decisionToGuard, presentDecided } from './decide-wager.js';
import { madeOffer, makeOfferBody, makeOfferOf, makeOfferRefusals, presentMadeOffer } from './make-offer.js';
import { OFFERS_OF_A_REQUEST } from './offer.js';
import {
  OVERRIDDEN,
  overrideOutcomeBody,
  overrideOutcomeOf,
  overrideOutcomeRefusals,
  overrideToGuard,
} from './override-outcome.js';

const MAX_OPERATIONS = 20;
const BATCH_DONE = 'Batch executed';

const offer = { wager_reference: 'home-win', requesting_odds: 2.4, requesting_amount: 10 };
const example = {
  operations: [
    {
      operation_type: 'cancel_bet_offer',
      operation_id: 'withdraw the old offer',
      data: { requesting_user_reference: 'ann', bet_id: 21, cancel_all: true },
    },
    {
      operation_type: 'make_bet_offer',
      operation_id: 'make a better one',
      data: { ...offer, requesting_user_reference: 'ann' },
    },
  ],
};

const operationOf = <Type extends string, Data extends z.ZodType>(id: string, type: Type, data: Data) =>
  z
    .strictObject({
      operation_type: z.literal(type).meta({ description: 'What is done.' }),
      operation_id: fields.line().meta({ description: 'No other operation of the batch has it.' }),
      data: data.meta({ description: 'The body of the single endpoint.' }),
    })
    .meta({ id });

const betOperations = [
  operationOf('MakeBetOffer', 'make_bet_offer', makeOfferBody),
  operationOf('AcceptBetOffer', 'accept_bet_offer', acceptOfferBody),
  operationOf('CancelBetOffer', 'cancel_bet_offer', batchCancelOfferBody),
  operationOf('UpdateWagerOutcome', 'update_wager_outcome', decideWagerBody),
  operationOf('OverrideBetOutcome', 'override_bet_outcome', overrideOutcomeBody),
] as const;
const wagerOperations = [
  operationOf('SuspendWagerOperation', 'suspend_wager', suspendInBatch),
  operationOf('ResumeWagerOperation', 'resume_wager', resumeInBatch),
  operationOf('CloseWagerOperation', 'close_wager', closeInBatch),
] as const;
/** The text of a refusal names them alone: it is older than the operations on wagers, and never changes. */
const operationTypes = betOperations.map(({ shape }) => shape.operation_type.value);

const batchOperation = z.discriminatedUnion('operation_type', [...betOperations, ...wagerOperations], {
  error: ({ code }) =>
    code === 'invalid_union' ? `must be one of the following values: ${operationTypes.join(', ')}` : undefined,
});

type GivenOperation = z.output<typeof batchOperation>;

const endpointOf: Readonly<Record<GivenOperation['operation_type'], EndpointName>> = {
  make_bet_offer: 'betMakeOffer',
  accept_bet_offer: 'betAcceptOffer',
  cancel_bet_offer: 'betCancelOffer',
  update_wager_outcome: 'betUpdateWagerOutcome',
  override_bet_outcome: 'betOverrideOutcome',
  suspend_wager: 'wagerSuspend',
  resume_wager: 'wagerResume',
  close_wager: 'wagerClose',
};

/** Refuses the batch when the caller may not do one of its operations alone. */
function assertMayDo({ role }: Caller, operations: readonly GivenOperation[]): void {
  for (const { operation_type: type, operation_id: operationId } of operations) {
    const leastRole = leastRoleOf(endpointOf[type]) ?? 'owner';
    if (!includesRole(role, leastRole)) throw new Refusal('role-forbids', { operationId });
  }
}

/** The one operation that may need approval. Beside it stands nothing that changes what it moves. */
function guardedIn(
  operations: readonly GivenOperation[],
  asking: Pick<Guarded, 'caller' | 'call'>,
  { approvals: context }: ApiServices,
): Guarded | undefined {
  const [first, ...others] = operations.flatMap((operation) => {
    if (operation.operation_type === 'update_wager_outcome') return [decisionToGuard(operation.data, asking)];
    return operation.operation_type === 'override_bet_outcome' ? [overrideToGuard(operation.data, asking)] : [];
  });
  const all = first === undefined ? [] : [first, ...others];
  if (!all.some(({ kind, approvals }) => mayNeedApproval(kind, approvals, context))) return undefined;
  const isMatching = operations.some(({ operation_type: type }) => type === 'accept_bet_offer');
  if (others.length > 0 || isMatching) throw new Refusal('approval-required');
  return first;
}

async function itemOf(
  operation: GivenOperation,
  { bound, ...asking }: Pick<Guarded, 'caller' | 'call'> & { readonly bound: number },
  { approvals }: Pick<ApiServices, 'approvals'>,
): Promise<BatchItem> {
  const operationId = operation.operation_id;
  switch (operation.operation_type) {
    case 'make_bet_offer':
      return { operationId, operation: makeOfferOf(operation.data) };
    case 'accept_bet_offer':
      return { operationId, operation: acceptOfferOf(operation.data, bound) };
    case 'cancel_bet_offer':
      return { operationId, operation: cancelOfferOf(operation.data, bound) };
    case 'update_wager_outcome':
      return { operationId, operation: await wholeOperationOf(decisionToGuard(operation.data, asking), approvals) };
    case 'override_bet_outcome':
      return { operationId, operation: overrideOutcomeOf(operation.data) };
    case 'suspend_wager':
      return { operationId, operation: suspendOf(operation.data, operation.data.wager_reference) };
    case 'resume_wager':
      return { operationId, operation: resumeOf(operation.data.wager_reference) };
    case 'close_wager':
      return { operationId, operation: closeOf(operation.data, operation.data.wager_reference) };
  }
}

const resultOf = <Type extends string, Content extends z.ZodRawShape>(type: Type, content: Content) =>
  z.strictObject({
    operation_type: z.literal(type),
    operation_id: text('As given.').meta({ examples: ['op-1'] }),
    success: z.literal(true),
    ...content,
  });
const message = text('As the single endpoint answers.');

/** Each result holds the `data` of the single endpoint, or its `message` where it has no data. */
const batchResult = z.discriminatedUnion('operation_type', [
  resultOf('make_bet_offer', { data: madeOffer }).meta({ id: 'MakeBetOfferResult' }),
  resultOf('accept_bet_offer', { data: z.array(acceptedOffer) }).meta({ id: 'AcceptBetOfferResult' }),
  resultOf('cancel_bet_offer', canceledOffers).meta({ id: 'CancelBetOfferResult' }),
  resultOf('update_wager_outcome', { message: message.meta({ examples: ['Wager outcome updated'] }) }).meta({
    id: 'UpdateWagerOutcomeResult',
  }),
  resultOf('override_bet_outcome', { message: message.meta({ examples: ['Bet outcome overridden'] }) }).meta({
    id: 'OverrideBetOutcomeResult',
  }),
  resultOf('suspend_wager', { data: listedWager }).meta({ id: 'SuspendWagerResult' }),
  resultOf('resume_wager', { data: listedWager }).meta({ id: 'ResumeWagerResult' }),
  resultOf('close_wager', { data: listedWager }).meta({ id: 'CloseWagerResult' }),
]);

function contentOf({ type, answer }: BatchAnswer, accountId: bigint): object {
  switch (type) {
    case 'make_bet_offer':
      return { data: presentMadeOffer(answer as MadeOffer) };
    case 'accept_bet_offer':
      return { data: presentAcceptedOffers(answer as readonly AcceptedOffer[]) };
    case 'cancel_bet_offer':
      return presentCanceledOffers(answer as CanceledOffers);
    case 'update_wager_outcome':
      return presentDecided(answer as WagerDecided);
    case 'override_bet_outcome':
      return { message: OVERRIDDEN };
    case 'suspend_wager':
    case 'resume_wager':
    case 'close_wager':
      return { data: presentAnswered(accountId, answer as AnsweredWager) };
    default:
      return {};
  }
}

const presentResult = (answer: BatchAnswer, accountId: bigint): z.output<typeof batchResult> =>
  ({
    operation_id: answer.operationId,
    operation_type: answer.type,
    success: true,
    ...contentOf(answer, accountId),
  }) as z.output<typeof batchResult>;

const batchRefusals = [
  'role-forbids' as const,
  'approval-required' as const,
  'too-large-to-approve' as const,
  reject('operation-ids-repeated'),
  ...makeOfferRefusals,
  ...acceptOfferRefusals,
  ...cancelOfferRefusals,
  ...decideWagerRefusals,
  ...overrideOutcomeRefusals,
  ...suspendRefusals,
];

export const betBatch = endpoint({
  method: 'post',
  path: '/bets/batch',
  tag: 'Bets',
  summary: 'Several operations as one: all of them, or none',
  description:
    'Done in order. Money is judged once, at the end, so a cancel and what it pays for may stand in either order. When one operation is refused, nothing is done; the text names its `operation_id`. Each operation needs the role of its own endpoint.',
  access: 'account',
  status: 201,
  body: z
    .strictObject({
      operations: z
        .array(batchOperation)
        .min(1)
        .max(MAX_OPERATIONS)
        .meta({ description: 'In the order to do them in.' }),
    })
    .meta({ id: 'Batch', examples: [example] }),
  answer: messageOnly(BATCH_DONE).extend({ results: z.array(batchResult).meta({ description: 'In the same order.' }) }),
  refusals: batchRefusals,
  async handle({ body, caller, call }, services) {
    assertMayDo(caller, body.operations);
    const { accountId } = caller.account;
    const items: BatchItem[] = [];
    const bound = Math.floor(OFFERS_OF_A_REQUEST / body.operations.length);
    for (const operation of body.operations) items.push(await itemOf(operation, { bound, caller, call }, services));
    const present = (answers: readonly BatchAnswer[]) => ({
      message: BATCH_DONE,
      results: answers.map((answer) => presentResult(answer, accountId)),
    });
    const guarded = guardedIn(body.operations, { caller, call }, services);
    if (guarded === undefined) return services.ledger.executeBatch(accountId, items, { call, present });
    return executeUnlessAsked(services, guarded, { effect: batchEffect(items), present });
  },
});
