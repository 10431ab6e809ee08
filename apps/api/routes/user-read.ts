import type { UserKey } from '#users/user.js';
import { readUser } from '#users/users.js';
import { endpoint } from '../endpoint.js';
import { presentUser } from '../presenters/user.js';
import type { ApiServices } from '../services.js';
import { userIdPath, userReferencePath } from '../user-fields.js';

async function answer({ database }: ApiServices, accountId: bigint, key: UserKey): Promise<object> {
  return { data: presentUser(await readUser(database, accountId, key)), message: 'User retrieved' };
}

export const userRead = endpoint({
  method: 'get',
  path: '/account/user/:userId',
  summary: 'Read a user by id',
  access: 'account',
  status: 200,
  params: userIdPath,
  handle: ({ params, caller }, services) => answer(services, caller.account.accountId, { id: BigInt(params.userId) }),
});

export const userReadByReference = endpoint({
  method: 'get',
  path: '/account/user/:reference/reference',
  summary: 'Read a user by reference',
  access: 'account',
  status: 200,
  params: userReferencePath,
  handle: ({ params, caller }, services) => answer(services, caller.account.accountId, params),
});
