import { z } from 'zod';
import { accountSortFields } from '#accounts/account.js';
import * as fields from '#http/fields.js';
import { listAccounts } from '#reads/account-list.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import { createdFrom, createdUntil, listQuery, sortDirection, timesAndOrderOf } from '../../fields/lists.js';
import { account, presentAccount } from '../accounts/account.js';

export const adminAccountList = endpoint({
  method: 'get',
  path: '/admin/accounts',
  tag: 'Administration',
  summary: 'List accounts',
  access: 'admin',
  isList: true,
  query: listQuery({
    search: fields.search.optional().meta({ description: 'Part of a name or e-mail address; case does not count.' }),
    email_verified: fields.booleanText
      .optional()
      .meta({ description: 'Only accounts whose address is verified, or is not.' }),
    created_after: createdFrom,
    created_before: createdUntil,
    sort_by: z.enum(accountSortFields).default('created_at').meta({
      description: 'Accounts have neither odds nor amounts: by each of them they stand in the order of their creation.',
    }),
    sort_direction: sortDirection,
  }),
  answer: pageWith(account).meta({ id: 'AccountPage' }),
  async handle({ query }, { database }) {
    const { page, frameOf } = listPage(query, { list: 'accounts' });
    const list = await listAccounts(database.shared, {
      search: query.search,
      isEmailVerified: query.email_verified,
      ...timesAndOrderOf(query),
      page,
    });
    return { data: list.items.map(presentAccount), ...frameOf(list) };
  },
});
