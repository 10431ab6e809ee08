import { z } from 'zod';
import { numberFromMicros } from '#core/money.js';
import * as fields from '#http/fields.js';
import type { Movement } from '#ledger/ledger.js';
import { userIdentifier } from './requests.js';

// Money in and out of one user: the two endpoints take and answer the same.

const MINIMUM_AMOUNT = 0.01;

export const movementBody = z.strictObject({
  amount: fields.amount(MINIMUM_AMOUNT),
  user_id: fields.id.nullish(),
  user_reference: fields.reference.nullish(),
  description: fields.line(1_000).nullish(),
});

export function movementOf(body: z.output<typeof movementBody>, defaultDescription: string) {
  return {
    user: userIdentifier(body.user_id, body.user_reference),
    amount: body.amount,
    description: body.description ?? defaultDescription,
  };
}

export function presentMovement(movement: Movement, accountId: bigint): object {
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
