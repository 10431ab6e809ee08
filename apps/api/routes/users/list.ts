import { z } from 'zod';
import { MAX_META_FIELDS, type UserMeta, userSortFields } from '#accounts/users/user.js';
import * as fields from '#http/fields.js';
import { lastPage } from '#http/paging.js';
import { listUsers } from '#reads/user-list.js';
import { endpoint } from '../../endpoint.js';
import { dataWith, frame } from '../../fields/answers.js';
import { META_KEY_FAULT, metaKey, presentUser, user } from './user.js';

const META_FILTER = 'meta_';

/** Gathers `meta_<key>` parameters into one map; a user must match all of them. */
const userListQuery = z
  .looseObject({
    page: fields.page,
    per_page: fields.perPage,
    search: fields.search.optional().meta({ description: 'Part of a name or reference; case does not count.' }),
    sort_by: z.enum(userSortFields).default('created_at').meta({ description: 'Ties stand by id.' }),
    sort_order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Up or down.' }),
  })
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
  query: userListQuery,
  answer: dataWith(userPage, 'Users retrieved'),
  async handle({ query, caller }, { database }) {
    const { users, total } = await listUsers(database, caller.account.accountId, {
      search: query.search,
      meta: query.meta,
      sortBy: query.sort_by,
      sortOrder: query.sort_order,
      offset: (query.page - 1) * query.per_page,
      limit: query.per_page,
    });
    return {
      data: {
        items: users.map(presentUser),
        page: query.page,
        per_page: query.per_page,
        total,
        total_pages: lastPage(total, query.per_page),
      },
      message: 'Users retrieved',
    };
  },
});
