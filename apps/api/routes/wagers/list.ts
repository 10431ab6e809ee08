import { z } from 'zod';
import * as fields from '#http/fields.js';
import { formerly } from '#http/request-input.js';
import { wagerSortFields } from '#reads/wager.js';
import { listWagers } from '#reads/wager-list.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { listPage } from '../../fields/list-page.js';
import {
  accountIds,
  closesUntil,
  createdFrom,
  createdUntil,
  listQuery,
  oneOfEach,
  references,
  sortDirection,
  timesAndOrderOf,
} from '../../fields/lists.js';
import { visibleAccounts } from '../../guards/visible-accounts.js';
import { listedWager, presentWager } from './wager.js';

export const wagerList = endpoint({
  method: 'get',
  path: '/wagers',
  tag: 'Wagers',
  summary: 'List wagers',
  access: 'account',
  isList: true,
  query: listQuery({
    outcome: oneOfEach(outcome).meta({ description: 'Only with one of these outcomes.' }),
    wager_reference: formerly(references.meta({ description: 'Only these wagers.' }), 'reference'),
    event: references.meta({ description: 'Only those with one of these labels.' }),
    settling: fields.booleanText
      .optional()
      .meta({ description: 'Only those whose bets wait to be settled (`settling_since`), or only the others.' }),
    closing: fields.booleanText.optional().meta({
      description:
        'Only those that a `closes_at` ahead will close, neither closed nor decided before, or only the others.',
    }),
    closes_before: closesUntil,
    account_ids: accountIds,
    created_after: createdFrom,
    created_before: createdUntil,
    sort_by: z
      .enum(wagerSortFields)
      .default('created_at')
      .meta({ description: '`closes_at` only with `closing=true`. Ties stand by id.' }),
    sort_direction: sortDirection,
  }).refine(({ sort_by, closing }) => sort_by !== 'closes_at' || closing === true, {
    path: ['closing'],
    message: 'must be true with sort_by=closes_at',
    when: () => true,
  }),
  answer: pageWith(listedWager).meta({ id: 'WagerPage' }),
  refusals: ['page-too-deep'],
  async handle({ query, caller }, { database }) {
    const visible = visibleAccounts(caller, query.account_ids);
    const { page, frameOf } = listPage(query, { list: 'wagers', accountIds: visible });
    const list = await listWagers(database, {
      accountIds: visible,
      outcomes: query.outcome,
      references: query.wager_reference,
      events: query.event,
      isSettling: query.settling,
      isClosing: query.closing,
      closesUntil: query.closes_before,
      ...timesAndOrderOf(query),
      sortBy: query.sort_by,
      page,
    });
    return { data: list.items.map(presentWager), ...frameOf(list) };
  },
});
