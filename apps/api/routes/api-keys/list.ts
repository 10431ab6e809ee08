import { listApiKeys } from '#reads/credential-lists.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import { byId, createdFilters, listQuery, sortDirection, timesAndOrderOf } from '../../fields/lists.js';
import { apiKey, presentApiKey } from './api-key.js';

export const accountApiKeyList = endpoint({
  method: 'get',
  path: '/auth/account/api-keys',
  tag: 'Accounts',
  summary: 'List API keys',
  description: 'The oldest first, unless asked otherwise; those too that have ended by themselves.',
  access: 'account',
  isList: true,
  query: listQuery({ ...createdFilters, ...byId(sortDirection) }),
  answer: pageWith(apiKey).meta({ id: 'ApiKeyPage' }),
  async handle({ query, caller }, { database }) {
    const { accountId } = caller.account;
    const { page, frameOf } = listPage(query, { list: 'api-keys', accountId });
    const list = await listApiKeys(database.shared, accountId, { ...timesAndOrderOf(query), page });
    return { data: list.items.map(presentApiKey), ...frameOf(list) };
  },
});
