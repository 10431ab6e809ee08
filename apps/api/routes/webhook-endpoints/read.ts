import { z } from 'zod';
import { readEndpoint } from '#webhooks/endpoint-rows.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { endpointId, keyOf, presentEndpoint, webhookEndpoint } from './webhook-endpoint.js';

const RETRIEVED = 'Webhook endpoint retrieved';

export const webhookEndpointRead = endpoint({
  method: 'get',
  path: '/webhook-endpoints/:id',
  tag: 'Webhooks',
  summary: 'Read a webhook endpoint, and how far it is',
  access: 'account',
  params: z.object({ id: endpointId }),
  query: z.object({ account_id: accountId }),
  answer: dataWith(webhookEndpoint, RETRIEVED),
  refusals: ['webhook-endpoint-not-found'],
  async handle({ params, query, caller }, { database }) {
    const account = visibleAccount(caller, query.account_id);
    const tables = database.of(account);
    const found = await readEndpoint(tables, keyOf(account, params.id));
    return { data: await presentEndpoint(tables, found), message: RETRIEVED };
  },
});
