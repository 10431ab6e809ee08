import { z } from 'zod';
import { transactionSources, transactionTypes } from '#core/outcome.js';
import * as fields from '#http/fields.js';
import { frameOf } from '#http/paging.js';
import { listTransactions } from '#transactions/transaction-list.js';
import { endpoint } from '../endpoint.js';
import { ids, pageFields, pageOf, rangeOf, references } from '../list-fields.js';
import { presentTransaction } from '../presenters/transaction.js';

const transactionListQuery = z.object({
  ...pageFields,
  user_ids: ids,
  user_references: references,
  transaction_type: z.enum(transactionTypes).optional(),
  transaction_source: z.enum(transactionSources).optional(),
  start_date: fields.timestampFrom.optional(),
  end_date: fields.timestampUntil.optional(),
});

export const transactionList = endpoint({
  method: 'get',
  path: '/transactions',
  summary: 'List transactions',
  access: 'account',
  status: 200,
  isList: true,
  query: transactionListQuery,
  async handle({ query, caller }, { database }) {
    const { transactions, total } = await listTransactions(database, caller.account.accountId, {
      userIds: query.user_ids,
      userReferences: query.user_references,
      type: query.transaction_type,
      source: query.transaction_source,
      createdFrom: query.start_date,
      createdUntil: query.end_date,
      ...rangeOf(query),
    });
    return {
      data: transactions.map(presentTransaction),
      ...frameOf(pageOf(query), total, transactions.length),
    };
  },
});
