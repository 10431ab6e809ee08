import { z } from 'zod';
import * as fields from '#http/fields.js';
import { readTransaction } from '#reads/read-transaction.js';
import type { TransactionKey } from '#reads/transaction.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import type { ApiServices } from '../../services.js';
import { presentTransaction, transaction } from './transaction.js';

const transactionAnswer = dataWith(transaction, 'Transaction retrieved');
const query = z.object({ account_id: accountId });

async function answer({ database }: ApiServices, accountId: bigint, key: TransactionKey) {
  const found = await readTransaction(database.of(accountId), accountId, key);
  return { data: presentTransaction(found), message: 'Transaction retrieved' };
}

export const transactionRead = endpoint({
  method: 'get',
  path: '/transactions/:id',
  tag: 'Transactions',
  summary: 'Read a transaction by id',
  access: 'account',
  params: z.object({ id: fields.idText.meta({ description: 'The id of the transaction.', examples: [31] }) }),
  query,
  answer: transactionAnswer,
  refusals: ['transaction-not-found'],
  handle: ({ params, query: { account_id }, caller }, services) =>
    answer(services, visibleAccount(caller, account_id), { id: BigInt(params.id) }),
});

export const transactionReadByReference = endpoint({
  method: 'get',
  path: '/transactions/:reference/reference',
  tag: 'Transactions',
  summary: 'Read a transaction by reference',
  access: 'account',
  params: z.object({
    reference: fields.reference.meta({
      description: 'The reference that it was answered with, or its own reference.',
      examples: ['TX_019bc2f0a3801f'],
    }),
  }),
  query,
  answer: transactionAnswer,
  refusals: ['transaction-not-found'],
  handle: ({ params, query: { account_id }, caller }, services) =>
    answer(services, visibleAccount(caller, account_id), params),
});
