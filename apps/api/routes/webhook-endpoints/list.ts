import { listEndpoints } from '#webhooks/endpoint-rows.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import { accountId, byId, createdFilters, listQuery, sortDirection, timesAndOrderOf } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { presentEndpoint, webhookEndpoint } from './webhook-endpoint.js';

export const webhookEndpointList = endpoint({
  method: 'get',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  access: 'account',
  isList: true,
  query: listQuery({ account_id: accountId, ...createdFilters, ...byId(sortDirection) }),
  answer: pageWith(webhookEndpoint).meta({ id: 'WebhookEndpointPage' }),
  async handle({ query, caller }, { database }) {
    const account = visibleAccount(caller, query.account_id);
    const { page, frameOf } = listPage(query, { list: 'webhook-endpoints', accountId: account });
    const list = await listEndpoints(database, account, { ...timesAndOrderOf(query), page });
    const data = await Promise.all(list.items.map((found) => presentEndpoint(database.of(account), found)));
    return { data, ...frameOf(list) };
  },
});
