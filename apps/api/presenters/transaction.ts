import type { z } from 'zod';
import { numberFromMicros } from '#core/money.js';
import type { Transaction } from '#reads/transaction.js';
import type { transaction as transactionAnswer } from '../answers/transaction.js';

export function presentTransaction(transaction: Transaction): z.output<typeof transactionAnswer> {
  return {
    id: Number(transaction.id),
    account_id: Number(transaction.accountId),
    user_id: Number(transaction.userId),
    user_reference: transaction.userReference,
    reference: transaction.reference,
    amount: numberFromMicros(transaction.amount),
    description: transaction.description,
    transaction_type: transaction.transactionType,
    transaction_source: transaction.transactionSource,
    bet_trail_id: transaction.betTrailId === null ? null : Number(transaction.betTrailId),
    created_at: transaction.createdAt,
  };
}
