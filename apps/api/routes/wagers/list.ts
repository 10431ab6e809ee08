import { z } from 'zod';
import { frameOf } from '#http/paging.js';
import { wagerSortFields } from '#reads/wager.js';
import { listWagers } from '#reads/wager-list.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { accountIds, oneOfEach, pageFields, pageOf, rangeOf, references, sortDirection } from '../../fields/lists.js';
import { visibleAccounts } from '../../guards/visible-accounts.js';
import { listedWager, presentWager } from './wager.js';

export const wagerList = endpoint({
  method: 'get',
  path: '/wagers',
  tag: 'Wagers',
  summary: 'List wagers',
  access: 'account',
  status: 200,
  isList: true,
  query: z.object({
    ...pageFields,
    outcome: oneOfEach(outcome).meta({ description: 'Only with one of these outcomes.' }),
    reference: references.meta({ description: 'Only these wagers.' }),
    account_ids: accountIds,
    sort_by: z.enum(wagerSortFields).default('created_at').meta({ description: 'Ties stand by id.' }),
    sort_direction: sortDirection,
  }),
  answer: pageWith(listedWager).meta({ id: 'WagerPage' }),
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
