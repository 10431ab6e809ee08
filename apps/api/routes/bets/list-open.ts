import { z } from 'zod';
import { numberFromSum } from '#core/money.js';
import { formerly } from '#http/request-input.js';
import { openBetSortFields, type ShownBet } from '#reads/bet.js';
import { listOpenBets, type OpenTotals } from '#reads/open-bet-list.js';
import type { List } from '#reads/page.js';
import { endpoint } from '../../endpoint.js';
import { decimal, pageWith } from '../../fields/answers.js';
import { type ListPage, listPage } from '../../fields/list-page.js';
import {
  accountIds,
  amountText,
  createdFrom,
  createdUntil,
  ids,
  oddsText,
  references,
  sortDirection,
  wagerFilter,
} from '../../fields/lists.js';
import { metaListQuery } from '../../fields/text-meta.js';
import { visibleAccounts } from '../../guards/visible-accounts.js';
import { allowedAcceptors, expiresAt, metaFieldOf, offerExample, offeredAt, offerFields, presentOffer } from './bet.js';
import { shownMeta } from './offer.js';

const openBetsQuery = metaListQuery({
  wager_reference: wagerFilter,
  account_ids: accountIds,
  user_id: formerly(
    ids.meta({ description: 'Only by these users; by those of `user_reference` too.' }),
    'requesting_user_ids',
  ),
  user_reference: formerly(
    references.meta({ description: 'Only by these users; by those of `user_id` too.' }),
    'requesting_user_references',
  ),
  created_after: createdFrom,
  created_before: createdUntil,
  minimum_odds: oddsText.prefault('1').meta({ description: 'At least these odds.' }),
  maximum_odds: oddsText.optional().meta({ description: 'At most these odds.' }),
  minimum_amount: amountText.optional().meta({ description: 'At least this stake.' }),
  maximum_amount: amountText.optional().meta({ description: 'At most this stake.' }),
  sort_by: z.enum(openBetSortFields).default('created_at').meta({ description: 'Ties stand by id.' }),
  sort_direction: sortDirection,
});

const openBet = z
  .strictObject({
    ...offerFields,
    allowed_acceptor_ids: allowedAcceptors('Who may accept; empty: all users.'),
    created_at: offeredAt,
    expires_at: expiresAt,
    meta: shownMeta,
  })
  .meta({
    id: 'OpenBet',
    description: 'An offer that can be accepted.',
    examples: [{ ...offerExample, allowed_acceptor_ids: [] }],
  });

export const openBetPage = pageWith(openBet, {
  total_requesting_amount: decimal('The stakes of all pages together. On a page by cursor only on request.')
    .optional()
    .meta({ examples: [10] }),
}).meta({ id: 'OpenBetPage' });

/** Open offers always have `allowed_acceptor_ids`: an empty list lets every user accept. */
const presentOpenBet = (bet: ShownBet): z.output<typeof openBet> =>
  Object.assign(presentOffer(bet), {
    allowed_acceptor_ids: bet.allowedAcceptorIds.map(Number),
    created_at: bet.createdAt,
    expires_at: bet.expiresAt,
    ...metaFieldOf(bet),
  });

export const presentOpenBets = (list: List<ShownBet, OpenTotals>, { frameOf }: ListPage) => ({
  data: list.items.map(presentOpenBet),
  ...frameOf(list),
  total_requesting_amount: list.totals && numberFromSum(list.totals.totalRequestingAmount),
});

export const betOpenList = endpoint({
  method: 'get',
  path: '/bets/open-bets',
  tag: 'Bets',
  summary: 'List open offers',
  description: 'Those that can be accepted: active, `requesting`, and their wager undecided.',
  access: 'account',
  isList: true,
  query: openBetsQuery,
  answer: openBetPage,
  refusals: ['answer-too-large', 'page-too-deep'],
  async handle({ query, caller }, { database }) {
    const visible = visibleAccounts(caller, query.account_ids);
    const asked = listPage(query, { list: 'open-bets', accountIds: visible });
    const list = await listOpenBets(database, {
      accountIds: visible,
      wagerReferences: query.wager_reference,
      userIds: query.user_id,
      userReferences: query.user_reference,
      createdFrom: query.created_after,
      createdUntil: query.created_before,
      minimumOdds: query.minimum_odds,
      maximumOdds: query.maximum_odds,
      minimumAmount: query.minimum_amount,
      maximumAmount: query.maximum_amount,
      meta: query.meta,
      sortBy: query.sort_by,
      descending: query.sort_direction === 'desc',
      page: asked.page,
    });
    return presentOpenBets(list, asked);
  },
});
