import { z } from 'zod';
import { historySortFields } from '#bets/bet.js';
import { listHistory } from '#bets/bet-list.js';
import { outcomes } from '#core/outcome.js';
import * as fields from '#http/fields.js';
import { frameOf } from '#http/paging.js';
import { endpoint } from '../endpoint.js';
import {
  ids,
  oneOfEach,
  pageFields,
  pageOf,
  rangeOf,
  references,
  sortDirection,
  trailFields,
  trailsWanted,
} from '../list-fields.js';
import { presentBet } from '../presenters/bet.js';
import { visibleAccounts } from '../visible-accounts.js';

const historyQuery = z.object({
  ...pageFields,
  wager_references: references,
  account_ids: ids,
  user_ids: ids,
  user_references: references,
  bet_outcomes: oneOfEach(outcomes),
  created_after: fields.timestampFrom.optional(),
  created_before: fields.timestampUntil.optional(),
  ...trailFields,
  sort_by: z.enum(historySortFields).default('created_at'),
  sort_direction: sortDirection,
});

export const betHistory = endpoint({
  method: 'get',
  path: '/bets/history',
  summary: 'List bets of every status',
  access: 'account',
  status: 200,
  isList: true,
  query: historyQuery,
  async handle({ query, caller }, { database }) {
    const { bets, total } = await listHistory(database, {
      accountIds: visibleAccounts(caller, query.account_ids),
      wagerReferences: query.wager_references,
      userIds: query.user_ids,
      userReferences: query.user_references,
      outcomes: query.bet_outcomes,
      createdFrom: query.created_after,
      createdUntil: query.created_before,
      trails: trailsWanted(query),
      sortBy: query.sort_by,
      descending: query.sort_direction === 'desc',
      ...rangeOf(query),
    });
    return { data: bets.map(presentBet), ...frameOf(pageOf(query), total, bets.length) };
  },
});
