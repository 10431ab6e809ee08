import { z } from 'zod';
import { openBetSortFields } from '#bets/bet.js';
import { listOpenBets } from '#bets/bet-list.js';
import { ODDS_ONE } from '#core/money.js';
import * as fields from '#http/fields.js';
import { frameOf } from '#http/paging.js';
import { endpoint } from '../endpoint.js';
import { amountText, ids, oddsText, pageFields, pageOf, rangeOf, references, sortDirection } from '../list-fields.js';
import { presentOpenBet, presentSum } from '../presenters/bet.js';
import { visibleAccounts } from '../visible-accounts.js';

const openBetsQuery = z.object({
  ...pageFields,
  wager_references: references,
  account_ids: ids,
  requesting_user_ids: ids,
  requesting_user_references: references,
  created_after: fields.timestampFrom.optional(),
  created_before: fields.timestampUntil.optional(),
  minimum_odds: oddsText.default(ODDS_ONE),
  maximum_odds: oddsText.optional(),
  minimum_amount: amountText.optional(),
  maximum_amount: amountText.optional(),
  sort_by: z.enum(openBetSortFields).default('created_at'),
  sort_direction: sortDirection,
});

export const betOpenList = endpoint({
  method: 'get',
  path: '/bets/open-bets',
  summary: 'List open offers',
  access: 'account',
  status: 200,
  isList: true,
  query: openBetsQuery,
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
