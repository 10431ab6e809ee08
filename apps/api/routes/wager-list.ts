import { z } from 'zod';
import { outcomes } from '#core/outcome.js';
import { frameOf } from '#http/paging.js';
import { wagerSortFields } from '#wagers/wager.js';
import { listWagers } from '#wagers/wager-list.js';
import { endpoint } from '../endpoint.js';
import { ids, oneOfEach, pageFields, pageOf, rangeOf, references, sortDirection } from '../list-fields.js';
import { presentWager } from '../presenters/wager.js';
import { visibleAccounts } from '../visible-accounts.js';

export const wagerList = endpoint({
  method: 'get',
  path: '/wagers',
  summary: 'List wagers',
  access: 'account',
  status: 200,
  isList: true,
  query: z.object({
    ...pageFields,
    outcome: oneOfEach(outcomes),
    reference: references,
    account_ids: ids,
    sort_by: z.enum(wagerSortFields).default('created_at'),
    sort_direction: sortDirection,
  }),
  async handle({ query, caller }, { database }) {
    const { wagers, total } = await listWagers(database, {
      accountIds: visibleAccounts(caller, query.account_ids),
      outcomes: query.outcome,
      references: query.reference,
      sortBy: query.sort_by,
      descending: query.sort_direction === 'desc',
      ...rangeOf(query),
    });
    return { data: wagers.map(presentWager), ...frameOf(pageOf(query), total, wagers.length) };
  },
});
