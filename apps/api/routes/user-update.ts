import { z } from 'zod';
import type { UserChanges, UserKey } from '#accounts/users/user.js';
import { changeUser } from '#accounts/users/users.js';
import { answerOnce, type IdempotencyContext } from '#idempotency/idempotency.js';
import { dataWith } from '../answers/fields.js';
import { changedUser } from '../answers/user.js';
import { endpoint } from '../endpoint.js';
import { presentChangedUser } from '../presenters/user.js';
import type { ApiServices } from '../services.js';
import * as userFields from '../user-fields.js';

const userAnswer = dataWith(changedUser, 'User updated');

const userChanges = z
  .strictObject({
    name: userFields.userName.optional(),
    preferences: userFields.preferences.nullable().optional(),
    meta: userFields.meta.optional(),
  })
  .meta({ id: 'ChangeUser', examples: [{ name: 'Ann B.', meta: { favourite_team: 'United' } }] });

interface UserChange {
  readonly accountId: bigint;
  readonly key: UserKey;
  readonly changes: UserChanges;
  readonly idempotency: IdempotencyContext | undefined;
}

const answer = ({ database }: ApiServices, { accountId, key, changes, idempotency }: UserChange) =>
  answerOnce(database, idempotency, {
    use: (queryable) => changeUser(queryable, accountId, key, changes),
    present: (user) => ({ data: presentChangedUser(user), message: 'User updated' }),
  });

export const userUpdate = endpoint({
  method: 'patch',
  path: '/account/user/:userId',
  tag: 'Users',
  summary: 'Change a user by id',
  description: 'Only what is given changes: `meta` key by key, `preferences` as a whole.',
  access: 'account',
  status: 200,
  params: userFields.userIdPath,
  body: userChanges,
  answer: userAnswer,
  refusals: ['user-unknown', 'meta-too-large'],
  handle: ({ params, body, caller: { account }, idempotency }, services) =>
    answer(services, { accountId: account.accountId, key: { id: BigInt(params.userId) }, changes: body, idempotency }),
});

export const userUpdateByReference = endpoint({
  method: 'patch',
  path: '/account/user/:reference/reference',
  tag: 'Users',
  summary: 'Change a user by reference',
  description: 'Only what is given changes: `meta` key by key, `preferences` as a whole.',
  access: 'account',
  status: 200,
  params: userFields.userReferencePath,
  body: userChanges,
  answer: userAnswer,
  refusals: ['user-unknown', 'meta-too-large'],
  handle: ({ params, body, caller: { account }, idempotency }, services) =>
    answer(services, { accountId: account.accountId, key: params, changes: body, idempotency }),
});
