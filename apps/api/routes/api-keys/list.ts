import { z } from 'zod';
import { frameOf } from '#http/paging.js';
import { listApiKeys } from '#reads/credential-lists.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { pageFields, pageOf, rangeOf } from '../../fields/lists.js';
import { apiKey, presentApiKey } from './api-key.js';

export const accountApiKeyList = endpoint({
  method: 'get',
  path: '/auth/account/api-keys',
  tag: 'Accounts',
  summary: 'List API keys',
  description: 'The oldest first; those too that have ended by themselves.',
  access: 'account',
  status: 200,
  isList: true,
  query: z.object(pageFields),
  answer: pageWith(apiKey).meta({ id: 'ApiKeyPage' }),
  async handle({ query, caller }, { database }) {
    const { items, total } = await listApiKeys(database, caller.account.accountId, rangeOf(query));
    return { data: items.map(presentApiKey), ...frameOf(pageOf(query), total, items.length) };
  },
});
