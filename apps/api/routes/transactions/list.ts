import { listTransactions } from '#reads/transaction-list.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { transactionSource, transactionType } from '../../fields/enums.js';
import { listPage } from '../../fields/list-page.js';
import { createdFrom, createdUntil, ids, references } from '../../fields/lists.js';
import { metaListQuery } from '../../fields/text-meta.js';
import { ownReference } from './movement.js';
import { presentTransaction, transaction } from './transaction.js';

const transactionListQuery = metaListQuery({
  user_ids: ids.meta({ description: 'Only of these users; those of `user_references` too.' }),
  user_references: references.meta({ description: 'Only of these users; those of `user_ids` too.' }),
  transaction_type: transactionType.optional(),
  transaction_source: transactionSource.optional(),
  start_date: createdFrom,
  end_date: createdUntil,
  own_reference: ownReference.optional().meta({ description: 'Only that with this own reference.' }),
});

export const transactionList = endpoint({
  method: 'get',
  path: '/transactions',
  tag: 'Transactions',
  summary: 'List transactions',
  description: 'The oldest first.',
  access: 'account',
  status: 200,
  isList: true,
  refusals: ['answer-too-large'],
  query: transactionListQuery,
  answer: pageWith(transaction).meta({ id: 'TransactionPage' }),
  async handle({ query, caller }, { database }) {
    const { accountId } = caller.account;
    const { page, frameOf } = listPage(query, { list: 'transactions', accountId });
    const list = await listTransactions(database, accountId, {
      userIds: query.user_ids,
      userReferences: query.user_references,
      type: query.transaction_type,
      source: query.transaction_source,
      createdFrom: query.start_date,
      createdUntil: query.end_date,
      ownReference: query.own_reference,
      meta: query.meta,
      page,
    });
    return { data: list.items.map(presentTransaction), ...frameOf(list) };
  },
});
