import { z } from 'zod';
import { frameOf } from '#http/paging.js';
import { openBetSortFields } from '#reads/bet.js';
import { listOpenBets } from '#reads/open-bet-list.js';
import { openBetPage } from '../answers/bet.js';
import { endpoint } from '../endpoint.js';
import {
  accountIds,
  amountText,
  createdFrom,
  createdUntil,
  ids,
  oddsText,
  pageFields,
  pageOf,
  rangeOf,
  references,
  sortDirection,
} from '../list-fields.js';
import { presentOpenBet, presentSum } from '../presenters/bet.js';
import { visibleAccounts } from '../visible-accounts.js';

const openBetsQuery = z.object({
  ...pageFields,
  wager_references: references.meta({ description: 'Only on these wagers.' }),
  account_ids: accountIds,
  requesting_user_ids: ids.meta({ description: 'Only of these users; those of `requesting_user_references` too.' }),
  requesting_user_references: references.meta({
    description: 'Only of these users; those of `requesting_user_ids` too.',
  }),
  created_after: createdFrom,
  created_before: createdUntil,
  minimum_odds: oddsText.prefault('1').meta({ description: 'At least these odds.' }),
  maximum_odds: oddsText.optional().meta({ description: 'At most these odds.' }),
  minimum_amount: amountText.optional().meta({ description: 'At least this stake.' }),
  maximum_amount: amountText.optional().meta({ description: 'At most this stake.' }),
  sort_by: z.enum(openBetSortFields).default('created_at').meta({ description: 'Ties stand by id.' }),
  sort_direction: sortDirection,
});

export const betOpenList = endpoint({
  method: 'get',
  path: '/bets/open-bets',
  tag: 'Bets',
  summary: 'List open offers',
  description: 'Those that can be accepted: active, `requesting`, and their wager undecided.',
  access: 'account',
  status: 200,
  isList: true,
  query: openBetsQuery,
  answer: openBetPage,
  async handle({ query, caller }, { database }) {
    const { bets, total, totalRequestingAmount } = await listOpenBets(database, {
      accountIds: visibleAccounts(caller, query.account_ids),
      wagerReferences: query.wager_references,
      userIds: query.requesting_user_ids,
      userReferences: query.requesting_user_references,
      createdFrom: query.created_after,
      createdUntil: query.created_before,
      minimumOdds: query.minimum_odds,
      maximumOdds: query.maximum_odds,
      minimumAmount: query.minimum_amount,
      maximumAmount: query.maximum_amount,
      sortBy: query.sort_by,
      descending: query.sort_direction === 'desc',
      ...rangeOf(query),
    });
    return {
      data: bets.map(presentOpenBet),
      ...frameOf(pageOf(query), total, bets.length),
      total_requesting_amount: presentSum(totalRequestingAmount),
    };
  },
});
