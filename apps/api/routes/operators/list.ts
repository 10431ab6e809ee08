import { listOperators } from '#reads/credential-lists.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import {
  accountId as accountIdField,
  byId,
  createdFilters,
  listQuery,
  sortDirection,
  timesAndOrderOf,
} from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { operator, presentOperator } from './operator.js';

export const operatorList = endpoint({
  method: 'get',
  path: '/operators',
  tag: 'People',
  summary: 'List the people of an account',
  description: 'The first one first, unless asked otherwise; without those who are deleted.',
  access: 'account',
  isList: true,
  query: listQuery({ account_id: accountIdField, ...createdFilters, ...byId(sortDirection) }),
  answer: pageWith(operator).meta({ id: 'OperatorPage' }),
  async handle({ query, caller }, { database }) {
    const accountId = visibleAccount(caller, query.account_id);
    const { page, frameOf } = listPage(query, { list: 'operators', accountId });
    const list = await listOperators(database.shared, accountId, { ...timesAndOrderOf(query), page });
    return { data: list.items.map(presentOperator), ...frameOf(list) };
  },
});
