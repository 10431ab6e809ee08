import { z } from 'zod';
import { numberFromMicros } from '#core/money.js';
import * as fields from '#http/fields.js';
import type { Movement } from '#ledger/ledger.js';
import { isOfLedger } from '#ledger/transaction-reference.js';
import type { TextMeta } from '#reads/meta-filter.js';
import { userById, userByReference } from '../../fields/ledger-operation.js';
import {
  labelFieldsOf,
  movementMeta,
  transactionContent,
  transactionExample,
  transactionIdentity,
} from './transaction.js';

// Money in or out of one balance: funding and withdrawing have the same body and answer.

export const MINIMUM_AMOUNT = 0.01;

export const MAX_OWN_REFERENCE = 100;

export const ownReference = fields
  .referenceUpTo(MAX_OWN_REFERENCE)
  .refine((reference) => !isOfLedger(reference), 'must not have the form of a reference of the ledger');

export const movementBody = (id: string, defaultDescription: string) =>
  z
    .strictObject({
      amount: fields.amount(MINIMUM_AMOUNT).meta({ description: 'At most 6 decimals.' }),
      user_id: userById('Whose balance', 'user_reference'),
      user_reference: userByReference('Whose balance', 'user_id'),
      description: fields.line(1_000).nullish().meta({
        description: 'What it is for; shown with the transaction.',
        default: defaultDescription,
      }),
      reference: ownReference.nullish().meta({
        description:
          'What the business calls it, such as the id of its payment; shown as `own_reference`. No other transaction of the account may have it.',
        examples: ['payment-4711'],
      }),
      meta: movementMeta.nullish(),
    })
    .meta({ id, examples: [{ user_reference: 'ann', amount: 100 }] });

export function readMovement(body: z.output<ReturnType<typeof movementBody>>, defaultDescription: string) {
  return {
    user: fields.userIdentifier(body.user_id, body.user_reference),
    amount: body.amount,
    description: body.description ?? defaultDescription,
    ownReference: body.reference ?? undefined,
    meta: body.meta ?? undefined,
  };
}

export const movementAnswer = z
  .strictObject({ ...transactionIdentity, ...transactionContent })
  .meta({ id: 'Movement', description: 'Money in or out of one balance.', examples: [transactionExample] });

export function presentMovement(moved: Movement, accountId: bigint): z.output<typeof movementAnswer> {
  return {
    id: Number(moved.id),
    user_id: Number(moved.userId),
    account_id: Number(accountId),
    reference: moved.reference,
    amount: numberFromMicros(moved.amount),
    description: moved.description,
    transaction_type: moved.transactionType,
    transaction_source: moved.transactionSource,
    balance_after: numberFromMicros(moved.balanceAfter),
    created_at: moved.createdAt,
    ...labelFieldsOf({ ownReference: moved.ownReference ?? null, meta: (moved.meta ?? null) as TextMeta | null }),
  };
}

/** A withdrawal answers with the text of a funding. */
export const MOVED_TEXT = 'User funded successfully';
