import { z } from 'zod';
import { readUser } from '#accounts/users/users.js';
import { numberFromMicros } from '#core/money.js';
import type { List } from '#reads/page.js';
import { listPositions, type PositionTotals, type ShownPosition } from '#reads/position-list.js';
import { endpoint } from '../../endpoint.js';
import { decimal, id, pageWith, text } from '../../fields/answers.js';
import { type ListPage, listPage } from '../../fields/list-page.js';
import { accountId, listQuery, onlySort, references, sortDirection } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { userIdPath } from './user.js';

const position = z
  .strictObject({
    wager_id: id('The wager.'),
    wager_reference: text('The wager, as the business calls it.'),
    win: decimal("What the user's matched bets come to on a win."),
    loss: decimal("What the user's matched bets come to on a loss."),
    offered: decimal("The user's open offers together."),
    exposure: decimal('The worst that the wager can still cost the user.'),
  })
  .meta({
    id: 'Position',
    description: 'What a user has in a wager.',
    examples: [{ wager_id: 3, wager_reference: 'home-win', win: 15, loss: -10, offered: 0, exposure: 10 }],
  });

export const positionPage = pageWith(position, {
  total_exposure: decimal(
    'Of all pages: the exposure of the user, or of what it has in the wagers that are asked for. On a page by cursor only on request.',
  )
    .optional()
    .meta({ examples: [10] }),
}).meta({ id: 'PositionPage' });

function presentPosition(found: ShownPosition): z.output<typeof position> {
  return {
    wager_id: Number(found.id),
    wager_reference: found.wagerReference,
    win: numberFromMicros(found.win),
    loss: numberFromMicros(found.loss),
    offered: numberFromMicros(found.offered),
    exposure: numberFromMicros(found.exposure),
  };
}

export const presentPositions = (list: List<ShownPosition, PositionTotals>, { frameOf }: ListPage) => ({
  data: list.items.map(presentPosition),
  ...frameOf(list),
  total_exposure: list.totals && numberFromMicros(list.totals.totalExposure),
});

export const userPositionList = endpoint({
  method: 'get',
  path: '/account/user/:userId/positions',
  tag: 'Users',
  summary: 'List what the exposure of a user is made of',
  description: 'Ordered by the id of the wager; those that are 0 in all are left out.',
  access: 'account',
  isList: true,
  params: userIdPath,
  query: listQuery({
    account_id: accountId,
    wager_reference: references.meta({ description: 'Only in these wagers.' }),
    sort_by: onlySort('wager_id'),
    sort_direction: sortDirection,
  }),
  answer: positionPage,
  refusals: ['user-not-found'],
  async handle({ params, query, caller }, { database }) {
    const account = visibleAccount(caller, query.account_id);
    const userId = BigInt(params.userId);
    await readUser(database.of(account), account, { id: userId });
    const asked = listPage(query, { list: 'positions', account, userId });
    const request = {
      userId,
      wagerReferences: query.wager_reference,
      page: asked.page,
      descending: query.sort_direction === 'desc',
    };
    return presentPositions(await listPositions(database, account, request), asked);
  },
});
