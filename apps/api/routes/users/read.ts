import type { UserKey } from '#accounts/users/user.js';
import { readUser } from '#accounts/users/users.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import type { ApiServices } from '../../services.js';
import { presentUser, user, userIdPath, userReferencePath } from './user.js';

const userAnswer = dataWith(user, 'User retrieved');

async function answer({ database }: ApiServices, accountId: bigint, key: UserKey) {
  return { data: presentUser(await readUser(database.of(accountId), accountId, key)), message: 'User retrieved' };
}

export const userRead = endpoint({
  method: 'get',
  path: '/account/user/:userId',
  tag: 'Users',
  summary: 'Read a user by id',
  access: 'account',
  status: 200,
  params: userIdPath,
  answer: userAnswer,
  refusals: ['user-not-found'],
  handle: ({ params, caller }, services) => answer(services, caller.account.accountId, { id: BigInt(params.userId) }),
});

export const userReadByReference = endpoint({
  method: 'get',
  path: '/account/user/:reference/reference',
  tag: 'Users',
  summary: 'Read a user by reference',
  access: 'account',
  status: 200,
  params: userReferencePath,
  answer: userAnswer,
  refusals: ['user-not-found'],
  handle: ({ params, caller }, services) => answer(services, caller.account.accountId, params),
});
