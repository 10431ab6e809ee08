import { z } from 'zod';
import { readUser } from '#accounts/users/users.js';
import { numberFromMicros } from '#core/money.js';
import { frameOf } from '#http/paging.js';
import { listPositions } from '#reads/position-list.js';
import { positionPage } from '../answers/wager.js';
import { endpoint } from '../endpoint.js';
import { accountId, pageFields, pageOf, rangeOf } from '../list-fields.js';
import { presentPosition } from '../presenters/position.js';
import { userIdPath } from '../user-fields.js';
import { visibleAccount } from '../visible-accounts.js';

export const userPositionList = endpoint({
  method: 'get',
  path: '/account/user/:userId/positions',
  tag: 'Users',
  summary: 'List what the exposure of a user is made of',
  description: 'Ordered by wager; those that are 0 in all are left out.',
  access: 'account',
  status: 200,
  isList: true,
  params: userIdPath,
  query: z.object({ ...pageFields, account_id: accountId }),
  answer: positionPage,
  refusals: ['user-unknown'],
  async handle({ params, query, caller }, { database }) {
    const account = visibleAccount(caller, query.account_id);
    const userId = BigInt(params.userId);
    await readUser(database, account, { id: userId });
    const { positions, total, totalExposure } = await listPositions(database, account, { userId, ...rangeOf(query) });
    return {
      data: positions.map(presentPosition),
      ...frameOf(pageOf(query), total, positions.length),
      total_exposure: numberFromMicros(totalExposure),
    };
  },
});
