import { formerly } from '#http/request-input.js';
import { listTransactions } from '#reads/transaction-list.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { transactionSource, transactionType } from '../../fields/enums.js';
import { listPage } from '../../fields/list-page.js';
import {
  accountId as accountIdField,
  createdFrom,
  createdUntil,
  onlySort,
  references,
  sortDirection,
  timesAndOrderOf,
  userFilters,
} from '../../fields/lists.js';
import { metaListQuery } from '../../fields/text-meta.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { ownReference } from './movement.js';
import { presentTransaction, transaction } from './transaction.js';

const transactionListQuery = metaListQuery({
  ...userFilters,
  wager_reference: references.meta({ description: 'Only what bets on these wagers paid.' }),
  transaction_type: transactionType.optional(),
  transaction_source: transactionSource.optional(),
  created_after: formerly(createdFrom, 'start_date'),
  created_before: formerly(createdUntil, 'end_date'),
  own_reference: ownReference.optional().meta({ description: 'Only that with this own reference.' }),
  account_id: accountIdField,
  sort_by: onlySort('created_at'),
  sort_direction: sortDirection,
});

export const transactionList = endpoint({
  method: 'get',
  path: '/transactions',
  tag: 'Transactions',
  summary: 'List transactions',
  description: 'The oldest first, unless asked otherwise.',
  access: 'account',
  isList: true,
  refusals: ['answer-too-large'],
  query: transactionListQuery,
  answer: pageWith(transaction).meta({ id: 'TransactionPage' }),
  async handle({ query, caller }, { database }) {
    const accountId = visibleAccount(caller, query.account_id);
    const { page, frameOf } = listPage(query, { list: 'transactions', accountId });
    const list = await listTransactions(database, accountId, {
      userIds: query.user_id,
      userReferences: query.user_reference,
      wagerReferences: query.wager_reference,
      type: query.transaction_type,
      source: query.transaction_source,
      ...timesAndOrderOf(query),
      ownReference: query.own_reference,
      meta: query.meta,
      page,
    });
    return { data: list.items.map(presentTransaction), ...frameOf(list) };
  },
});
