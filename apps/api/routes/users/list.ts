import { z } from 'zod';
import { userSortFields } from '#accounts/users/user.js';
import * as fields from '#http/fields.js';
import { formerly } from '#http/request-input.js';
import { listUsers } from '#reads/user-list.js';
import { endpoint } from '../../endpoint.js';
import { dataWith, frame } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import { accountId as accountIdField, createdFilters, ids, newestFirst, references } from '../../fields/lists.js';
import { metaListQuery } from '../../fields/text-meta.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { presentUser, user } from './user.js';

const userListQuery = metaListQuery({
  search: fields.search.optional().meta({ description: 'Part of a name or reference; case does not count.' }),
  user_id: ids.meta({ description: 'Only these users; those of `user_reference` too.' }),
  user_reference: references.meta({ description: 'Only these users; those of `user_id` too.' }),
  account_id: accountIdField,
  ...createdFilters,
  sort_by: z.enum(userSortFields).default('created_at').meta({ description: 'Ties stand by id.' }),
  sort_direction: formerly(newestFirst, 'sort_order'),
});

/** The only list with a frame of its own. */
const userPage = z
  .strictObject({
    items: z.array(user),
    page: frame.page,
    per_page: frame.per_page,
    total: frame.total,
    total_pages: frame.last_page,
    next: frame.next,
    previous: frame.previous,
  })
  .meta({ id: 'UserPage' });

export const userList = endpoint({
  method: 'get',
  path: '/account/user',
  tag: 'Users',
  summary: 'List users',
  access: 'account',
  isList: true,
  refusals: ['answer-too-large'],
  query: userListQuery,
  answer: dataWith(userPage, 'Users retrieved'),
  async handle({ query, caller }, { database }) {
    const { page: number, per_page, cursor, include_totals } = query;
    const accountId = visibleAccount(caller, query.account_id);
    const filters = {
      search: query.search,
      meta: query.meta,
      userIds: query.user_id,
      userReferences: query.user_reference,
      createdFrom: query.created_after,
      createdUntil: query.created_before,
      sortBy: query.sort_by,
      sortOrder: query.sort_direction,
    };
    const named = { page: number, per_page, cursor, include_totals, ...filters };
    const { page, frameOf } = listPage(named, { list: 'users', accountId });
    const list = await listUsers(database, accountId, { ...filters, page });
    const { from: _from, to: _to, last_page: total_pages, ...frame } = frameOf(list);
    return { data: { items: list.items.map(presentUser), ...frame, total_pages }, message: 'Users retrieved' };
  },
});
