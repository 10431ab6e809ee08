import { z } from 'zod';
import type { UserKey } from '#accounts/users/user.js';
import { readUser } from '#accounts/users/users.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import type { ApiServices } from '../../services.js';
import { presentUser, user, userIdPath, userReferencePath } from './user.js';

const userAnswer = dataWith(user, 'User retrieved');
const query = z.object({ account_id: accountId });

async function answer({ database }: ApiServices, accountId: bigint, key: UserKey) {
  return { data: presentUser(await readUser(database.of(accountId), accountId, key)), message: 'User retrieved' };
}

export const userRead = endpoint({
  method: 'get',
  path: '/account/user/:userId',
  tag: 'Users',
  summary: 'Read a user by id',
  access: 'account',
  params: userIdPath,
  query,
  answer: userAnswer,
  refusals: ['user-not-found'],
  handle: ({ params, query: { account_id }, caller }, services) =>
    answer(services, visibleAccount(caller, account_id), { id: BigInt(params.userId) }),
});

export const userReadByReference = endpoint({
  method: 'get',
  path: '/account/user/:reference/reference',
  tag: 'Users',
  summary: 'Read a user by reference',
  access: 'account',
  params: userReferencePath,
  query,
  answer: userAnswer,
  refusals: ['user-not-found'],
  handle: ({ params, query: { account_id }, caller }, services) =>
    answer(services, visibleAccount(caller, account_id), params),
});
