import { z } from 'zod';
import * as fields from '#http/fields.js';
import type { TransactionKey } from '#transactions/transaction.js';
import { readTransaction } from '#transactions/transactions.js';
import { endpoint } from '../endpoint.js';
import { presentTransaction } from '../presenters/transaction.js';
import type { ApiServices } from '../services.js';

async function answer({ database }: ApiServices, accountId: bigint, key: TransactionKey): Promise<object> {
  const transaction = await readTransaction(database, accountId, key);
  return { data: presentTransaction(transaction), message: 'Transaction retrieved' };
}

export const transactionRead = endpoint({
  method: 'get',
  path: '/transactions/:id',
  summary: 'Read a transaction by id',
  access: 'account',
  status: 200,
  params: z.object({ id: fields.idText }),
  handle: ({ params, caller }, services) => answer(services, caller.account.accountId, { id: BigInt(params.id) }),
});

export const transactionReadByReference = endpoint({
  method: 'get',
  path: '/transactions/:reference/reference',
  summary: 'Read a transaction by reference',
  access: 'account',
  status: 200,
  params: z.object({ reference: fields.reference }),
  handle: ({ params, caller }, services) => answer(services, caller.account.accountId, params),
});
