import { z } from 'zod';
import { MAX_META_FIELDS, type UserMeta, userSortFields } from '#accounts/users/user.js';
import * as fields from '#http/fields.js';
import { formerly } from '#http/query.js';
import { listUsers } from '#reads/user-list.js';
import { endpoint } from '../../endpoint.js';
import { dataWith, frame } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import { createdFilters, ids, namesOnePage, newestFirst, pageFields, references } from '../../fields/lists.js';
import { META_KEY_FAULT, metaKey, presentUser, user } from './user.js';

const META_FILTER = 'meta_';

/** Gathers `meta_<key>` parameters into one map; a user must match all of them. */
const userListQuery = namesOnePage(
  z.looseObject({
    ...pageFields,
    search: fields.search.optional().meta({ description: 'Part of a name or reference; case does not count.' }),
    user_id: ids.meta({ description: 'Only these users; those of `user_reference` too.' }),
    user_reference: references.meta({ description: 'Only these users; those of `user_id` too.' }),
    ...createdFilters,
    sort_by: z.enum(userSortFields).default('created_at').meta({ description: 'Ties stand by id.' }),
    sort_direction: formerly(newestFirst, 'sort_order'),
  }),
)
  .meta({
    patternProperties: { [`^${META_FILTER}${metaKey.source.slice(1)}`]: { type: 'string' } },
    maxProperties: MAX_META_FIELDS,
  })
  .transform((query, context) => {
    const filters = Object.entries(query).filter(([name]) => name.startsWith(META_FILTER));
    if (filters.length > MAX_META_FIELDS) {
      context.addIssue({ code: 'custom', message: `must not have more than ${MAX_META_FIELDS} meta filters` });
    }
    const wanted: [string, string][] = [];
    for (const [name, value] of filters) {
      const key = name.slice(META_FILTER.length);
      if (!metaKey.test(key)) context.addIssue({ code: 'custom', path: [name], message: META_KEY_FAULT });
      else if (typeof value !== 'string')
        context.addIssue({ code: 'custom', path: [name], message: 'must be a string' });
      else wanted.push([key, value]);
    }
    return { ...query, meta: Object.fromEntries(wanted) as UserMeta };
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
  status: 200,
  isList: true,
  refusals: ['answer-too-large'],
  query: userListQuery,
  answer: dataWith(userPage, 'Users retrieved'),
  async handle({ query, caller }, { database }) {
    const { page: number, per_page, cursor, include_totals } = query;
    const { accountId } = caller.account;
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
