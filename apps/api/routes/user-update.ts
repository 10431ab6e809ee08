import { z } from 'zod';
import * as fields from '#http/fields.js';
import { type Keeping, keptAnswer } from '#idempotency/kept-answers.js';
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

interface UserChange {
  readonly accountId: bigint;
  readonly key: UserKey;
  readonly changes: UserChanges;
  readonly keeping: Keeping | undefined;
}

const answer = ({ database }: ApiServices, { accountId, key, changes, keeping }: UserChange): Promise<object> =>
  keptAnswer(database, keeping, {
    use: (queryable) => changeUser(queryable, accountId, key, changes),
    present: (user) => ({ data: presentChangedUser(user), message: 'User updated' }),
  });

export const userUpdate = endpoint({
  method: 'patch',
  path: '/account/user/:userId',
  summary: 'Change a user by id',
  access: 'account',
  status: 200,
  params: userFields.userIdPath,
  body: userChanges,
  handle: ({ params, body, caller: { account }, keeping }, services) =>
    answer(services, { accountId: account.accountId, key: { id: BigInt(params.userId) }, changes: body, keeping }),
});

export const userUpdateByReference = endpoint({
  method: 'patch',
  path: '/account/user/:reference/reference',
  summary: 'Change a user by reference',
  access: 'account',
  status: 200,
  params: userFields.userReferencePath,
  body: userChanges,
  handle: ({ params, body, caller: { account }, keeping }, services) =>
    answer(services, { accountId: account.accountId, key: params, changes: body, keeping }),
});
