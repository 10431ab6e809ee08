import { z } from 'zod';
import { numberFromMicros } from '#core/money.js';
import type { ShownTransaction } from '#reads/transaction.js';
import { decimal, id, moment, text } from '../../fields/answers.js';
import { transactionSource, transactionType } from '../../fields/enums.js';
import { SHORT_AS_JSON, shortAsJson } from '../../fields/short-json.js';
import { textMeta } from '../../fields/text-meta.js';

export const transactionIdentity = {
  id: id('Its id.'),
  account_id: id('The account it belongs to.'),
  user_id: id('Whose balance moved.'),
};
export const movementMeta = shortAsJson(textMeta()).meta({
  id: 'MovementMeta',
  description: `Texts of the business's own, ${SHORT_AS_JSON}; transactions can be looked for by them.`,
  examples: [{ payment: 'card' }],
});

/** What a business says of money in or out. */
export const shownLabel = {
  own_reference: text('The `reference` that it was given; only on money in or out that was given one.').optional(),
  meta: movementMeta.optional(),
};
export const transactionContent = {
  reference: text('A name of its own, of the form `TX_<hexadecimal digits>`.'),
  amount: decimal('Never negative: the type says which way it went.'),
  description: text('What it was for.'),
  transaction_type: transactionType,
  transaction_source: transactionSource,
  balance_after: decimal('The balance of the user after it.'),
  created_at: moment('When the balance moved.'),
  ...shownLabel,
};

export const transactionExample = {
  id: 31,
  account_id: 7,
  user_id: 12,
  reference: 'TX_019bc2f0a3801f',
  amount: 100,
  description: 'Balance funded',
  transaction_type: 'credit',
  transaction_source: 'funding',
  balance_after: 100,
  created_at: '2026-01-15T18:35:00.000Z',
};

export const transaction = z
  .strictObject({
    ...transactionIdentity,
    user_reference: text('The user, as the business calls it.'),
    ...transactionContent,
    bet_trail_id: id('The step of a bet that moved it; null: money in or out.').nullable(),
  })
  .meta({
    id: 'Transaction',
    description: 'One movement of one balance. A settled bet has two, one for each user.',
    examples: [{ ...transactionExample, user_reference: 'ann', bet_trail_id: null }],
  });

/** Most transactions have none. */
export const labelFieldsOf = ({ ownReference, meta }: Pick<ShownTransaction, 'ownReference' | 'meta'>) => ({
  ...(ownReference !== null && { own_reference: ownReference }),
  ...(meta !== null && { meta }),
});

export function presentTransaction(found: ShownTransaction): z.output<typeof transaction> {
  return {
    id: Number(found.id),
    account_id: Number(found.accountId),
    user_id: Number(found.userId),
    user_reference: found.userReference,
    reference: found.reference,
    amount: numberFromMicros(found.amount),
    description: found.description,
    transaction_type: found.transactionType,
    transaction_source: found.transactionSource,
    bet_trail_id: found.betTrailId === null ? null : Number(found.betTrailId),
    balance_after: numberFromMicros(found.balanceAfter),
    created_at: found.createdAt,
    ...labelFieldsOf(found),
  };
}
