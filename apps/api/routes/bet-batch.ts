import { z } from 'zod';
import type { BatchAnswer, BatchItem } from '#core/execute.js';
import type { AcceptedOffer } from '#core/operations/accept-offer.js';
import type { CanceledOffer } from '#core/operations/cancel-offer.js';
import type { MadeOffer } from '#core/operations/make-offer.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../endpoint.js';
import { presentAcceptedOffers, presentCanceledOffers, presentMadeOffer } from '../ledger/answers.js';
import {
  acceptOfferBody,
  acceptOfferOf,
  batchCancelOfferBody,
  cancelOfferOf,
  makeOfferBody,
  makeOfferOf,
} from '../ledger/requests.js';

const MAX_OPERATIONS = 20;
const operationTypes = ['make_bet_offer', 'accept_bet_offer', 'cancel_bet_offer'] as const;

const batchOperation = z.discriminatedUnion(
  'operation_type',
  [
    z.strictObject({ operation_type: z.literal('make_bet_offer'), operation_id: fields.line(), data: makeOfferBody }),
    z.strictObject({
      operation_type: z.literal('accept_bet_offer'),
      operation_id: fields.line(),
      data: acceptOfferBody,
    }),
    z.strictObject({
      operation_type: z.literal('cancel_bet_offer'),
      operation_id: fields.line(),
      data: batchCancelOfferBody,
    }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union' ? `must be one of the following values: ${operationTypes.join(', ')}` : undefined,
  },
);

function itemOf(operation: z.output<typeof batchOperation>): BatchItem {
  const operationId = operation.operation_id;
  switch (operation.operation_type) {
    case 'make_bet_offer':
      return { operationId, operation: makeOfferOf(operation.data) };
    case 'accept_bet_offer':
      return { operationId, operation: acceptOfferOf(operation.data) };
    case 'cancel_bet_offer':
      return { operationId, operation: cancelOfferOf(operation.data) };
  }
}

function dataOf({ type, answer }: BatchAnswer): object | undefined {
  switch (type) {
    case 'make_bet_offer':
      return presentMadeOffer(answer as MadeOffer);
    case 'accept_bet_offer':
      return presentAcceptedOffers(answer as readonly AcceptedOffer[]);
    case 'cancel_bet_offer':
      return presentCanceledOffers(answer as readonly CanceledOffer[]);
    default:
      return undefined;
  }
}

export const betBatch = endpoint({
  method: 'post',
  path: '/bets/batch',
  summary: 'Several operations as one: all of them, or none',
  access: 'account',
  status: 201,
  body: z.strictObject({ operations: z.array(batchOperation).min(1).max(MAX_OPERATIONS) }),
  async handle({ body, caller }, { ledger }) {
    const answers = await ledger.executeBatch(caller.account.accountId, body.operations.map(itemOf));
    const results = answers.map((answer) => ({
      operation_id: answer.operationId,
      operation_type: answer.type,
      success: true,
      data: dataOf(answer),
    }));
    return { message: 'Batch executed', results };
  },
});
