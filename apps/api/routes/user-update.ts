import { z } from 'zod';
import * as fields from '#http/fields.js';
import type { UserChanges, UserKey } from '#users/user.js';
import { changeUser } from '#users/users.js';
import { endpoint } from '../endpoint.js';
import { presentChangedUser } from '../presenters/user.js';
import type { ApiServices } from '../services.js';
import * as userFields from '../user-fields.js';

const userChanges = z.strictObject({
  name: fields.line().optional(),
  preferences: userFields.preferences.nullable().optional(),
  meta: userFields.meta.optional(),
});

async function answer(
  { database }: ApiServices,
  accountId: bigint,
  key: UserKey,
  changes: UserChanges,
): Promise<object> {
  return { data: presentChangedUser(await changeUser(database, accountId, key, changes)), message: 'User updated' };
}

export const userUpdate = endpoint({
  method: 'patch',
  path: '/account/user/:userId',
  summary: 'Change a user by id',
  access: 'account',
  status: 200,
  params: userFields.userIdPath,
  body: userChanges,
  handle: ({ params, body, caller }, services) =>
    answer(services, caller.account.accountId, { id: BigInt(params.userId) }, body),
});

export const userUpdateByReference = endpoint({
  method: 'patch',
  path: '/account/user/:reference/reference',
  summary: 'Change a user by reference',
  access: 'account',
  status: 200,
  params: userFields.userReferencePath,
  body: userChanges,
  handle: ({ params, body, caller }, services) => answer(services, caller.account.accountId, params, body),
});
