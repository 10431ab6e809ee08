import { z } from 'zod';
import type { BatchAnswer, BatchItem } from '#core/execute.js';
import type { AcceptedOffer } from '#core/operations/accept-offer.js';
import type { CanceledOffer } from '#core/operations/cancel-offer.js';
import type { MadeOffer } from '#core/operations/make-offer.js';
import type { WagerDecided } from '#core/settle.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../endpoint.js';
import {
  decidedText,
  OVERRIDDEN,
  presentAcceptedOffers,
  presentCanceledOffers,
  presentMadeOffer,
} from '../ledger/answers.js';
import {
  acceptOfferBody,
  acceptOfferOf,
  batchCancelOfferBody,
  cancelOfferOf,
  decideWagerBody,
  decideWagerOf,
  makeOfferBody,
  makeOfferOf,
  overrideOutcomeBody,
  overrideOutcomeOf,
} from '../ledger/requests.js';

const MAX_OPERATIONS = 20;

const operationOf = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.strictObject({ operation_type: z.literal(type), operation_id: fields.line(), data });

const operations = [
  operationOf('make_bet_offer', makeOfferBody),
  operationOf('accept_bet_offer', acceptOfferBody),
  operationOf('cancel_bet_offer', batchCancelOfferBody),
  operationOf('update_wager_outcome', decideWagerBody),
  operationOf('override_bet_outcome', overrideOutcomeBody),
] as const;
const operationTypes = operations.map(({ shape }) => shape.operation_type.value);

const batchOperation = z.discriminatedUnion('operation_type', operations, {
  error: ({ code }) =>
    code === 'invalid_union' ? `must be one of the following values: ${operationTypes.join(', ')}` : undefined,
});

function itemOf(operation: z.output<typeof batchOperation>, bound: number): BatchItem {
  const operationId = operation.operation_id;
  switch (operation.operation_type) {
    case 'make_bet_offer':
      return { operationId, operation: makeOfferOf(operation.data) };
    case 'accept_bet_offer':
      return { operationId, operation: acceptOfferOf(operation.data) };
    case 'cancel_bet_offer':
      return { operationId, operation: cancelOfferOf(operation.data) };
    case 'update_wager_outcome':
      return { operationId, operation: decideWagerOf(operation.data, bound) };
    case 'override_bet_outcome':
      return { operationId, operation: overrideOutcomeOf(operation.data) };
  }
}

/** What the single endpoint answers with: its `data`, or where it has none its `message`. */
function contentOf({ type, answer }: BatchAnswer): object {
  switch (type) {
    case 'make_bet_offer':
      return { data: presentMadeOffer(answer as MadeOffer) };
    case 'accept_bet_offer':
      return { data: presentAcceptedOffers(answer as readonly AcceptedOffer[]) };
    case 'cancel_bet_offer':
      return { data: presentCanceledOffers(answer as readonly CanceledOffer[]) };
    case 'update_wager_outcome':
      return { message: decidedText(answer as WagerDecided) };
    case 'override_bet_outcome':
      return { message: OVERRIDDEN };
    default:
      return {};
  }
}

const resultOf = (answer: BatchAnswer): object => ({
  operation_id: answer.operationId,
  operation_type: answer.type,
  success: true,
  ...contentOf(answer),
});

export const betBatch = endpoint({
  method: 'post',
  path: '/bets/batch',
  summary: 'Several operations as one: all of them, or none',
  access: 'account',
  status: 201,
  body: z.strictObject({ operations: z.array(batchOperation).min(1).max(MAX_OPERATIONS) }),
  async handle({ body, caller, keeping }, { ledger, settlementBound }) {
    const items = body.operations.map((operation) => itemOf(operation, settlementBound));
    return ledger.executeBatch(caller.account.accountId, items, {
      keeping,
      present: (answers) => ({ message: 'Batch executed', results: answers.map(resultOf) }),
    });
  },
});
