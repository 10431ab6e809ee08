import { z } from 'zod';
import { historySortFields } from '#reads/bet.js';
import { listHistory } from '#reads/bet-history.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { listPage } from '../../fields/list-page.js';
import {
  accountIds,
  amountText,
  createdFrom,
  createdUntil,
  oneOfEach,
  sortDirection,
  userFilters,
  wagerFilter,
} from '../../fields/lists.js';
import { metaListQuery } from '../../fields/text-meta.js';
import { visibleAccounts } from '../../guards/visible-accounts.js';
import { bet, presentBet, trailFields, trailsWanted } from './bet.js';

const historyQuery = metaListQuery({
  wager_reference: wagerFilter,
  account_ids: accountIds,
  user_id: userFilters.user_id.meta({
    description: 'Only of these users, on either side; those of `user_reference` too.',
  }),
  user_reference: userFilters.user_reference.meta({
    description: 'Only of these users, on either side; those of `user_id` too.',
  }),
  bet_outcomes: oneOfEach(outcome).meta({
    description: 'By the override of the bet, else by the outcome of its wager.',
  }),
  created_after: createdFrom,
  created_before: createdUntil,
  minimum_amount: amountText.optional().meta({ description: 'At least this stake: of a match what was matched.' }),
  ...trailFields,
  sort_by: z.enum(historySortFields).default('created_at').meta({
    description: 'Bets without odds or an amount stand at the end, up or down.',
  }),
  sort_direction: sortDirection,
});

export const betHistory = endpoint({
  method: 'get',
  path: '/bets/history',
  tag: 'Bets',
  summary: 'List bets of every status',
  access: 'account',
  isList: true,
  query: historyQuery,
  answer: pageWith(bet).meta({ id: 'BetPage' }),
  refusals: ['too-many-trails', 'answer-too-large', 'page-too-deep'],
  async handle({ query, caller }, { database }) {
    const visible = visibleAccounts(caller, query.account_ids);
    const { page, frameOf } = listPage(query, { list: 'history', accountIds: visible });
    const list = await listHistory(database, {
      accountIds: visible,
      wagerReferences: query.wager_reference,
      userIds: query.user_id,
      userReferences: query.user_reference,
      outcomes: query.bet_outcomes,
      meta: query.meta,
      createdFrom: query.created_after,
      createdUntil: query.created_before,
      minimumAmount: query.minimum_amount,
      trails: trailsWanted(query),
      sortBy: query.sort_by,
      descending: query.sort_direction === 'desc',
      page,
    });
    return { data: list.items.map(presentBet), ...frameOf(list) };
  },
});
