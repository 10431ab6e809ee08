import { z } from 'zod';
import { numberFromMicros } from '#core/money.js';
import * as fields from '#http/fields.js';
import type { Movement } from '#ledger/ledger.js';
import type { movement as movementAnswer } from '../answers/transaction.js';
import { userById, userByReference, userIdentifier } from './requests.js';

// Money in and out of one user: the two endpoints take and answer the same.

const MINIMUM_AMOUNT = 0.01;

const movementBody = (id: string, defaultDescription: string) =>
  z
    .strictObject({
      amount: fields.amount(MINIMUM_AMOUNT).meta({ description: 'At most 6 decimals.' }),
      user_id: userById('Whose balance', 'user_reference'),
      user_reference: userByReference('Whose balance', 'user_id'),
      description: fields.line(1_000).nullish().meta({
        description: 'What it is for; shown with the transaction.',
        default: defaultDescription,
      }),
    })
    .meta({ id, examples: [{ user_reference: 'ann', amount: 100 }] });

export const FUNDED = 'Balance funded';
export const WITHDRAWN = 'Withdrawal';

export const fundBody = movementBody('Fund', FUNDED);
export const withdrawBody = movementBody('Withdraw', WITHDRAWN);

export function movementOf(body: z.output<typeof fundBody>, defaultDescription: string) {
  return {
    user: userIdentifier(body.user_id, body.user_reference),
    amount: body.amount,
    description: body.description ?? defaultDescription,
  };
}

export function presentMovement(movement: Movement, accountId: bigint): z.output<typeof movementAnswer> {
  return {
    id: Number(movement.id),
    user_id: Number(movement.userId),
    account_id: Number(accountId),
    reference: movement.reference,
    amount: numberFromMicros(movement.amount),
    description: movement.description,
    transaction_type: movement.transactionType,
    transaction_source: movement.transactionSource,
    created_at: movement.createdAt,
  };
}

/** Of both: a withdrawal answers with the text of a funding. */
export const MOVED = 'User funded successfully';
