import { z } from 'zod';
import type { UserChanges, UserKey } from '#accounts/users/user.js';
import type { ChangedUser } from '#accounts/users/user-repository.js';
import { changeUser } from '#accounts/users/users.js';
import { answerOnce } from '#idempotency/idempotency.js';
import { type EndpointCall, endpoint } from '../../endpoint.js';
import { dataWith, id, moment } from '../../fields/answers.js';
import { preferences } from '../../fields/preferences.js';
import type { ApiServices } from '../../services.js';
import { userExample, userIdPath, userMeta, userNameField, userNames, userReferencePath } from './user.js';

const changedUser = z
  .strictObject({
    id: id('Its id.'),
    ...userNames,
    preferences: preferences.nullable(),
    meta: userMeta.nullable(),
    updated_at: moment('Now.'),
  })
  .meta({
    id: 'ChangedUser',
    examples: [{ id: 12, reference: 'ann', ...userExample, updated_at: '2026-01-15T18:34:00.000Z' }],
  });

function presentChangedUser(changed: ChangedUser): z.output<typeof changedUser> {
  const { id, reference, name, preferences, meta, updatedAt } = changed;
  return { id: Number(id), reference, name, preferences, meta, updated_at: updatedAt };
}

const userAnswer = dataWith(changedUser, 'User updated');

const userChanges = z
  .strictObject({
    name: userNameField.optional(),
    preferences: preferences.nullable().optional(),
    meta: userMeta.optional(),
  })
  .meta({ id: 'ChangeUser', examples: [{ name: 'Ann B.', meta: { favourite_team: 'United' } }] });

interface UserChange {
  readonly accountId: bigint;
  readonly key: UserKey;
  readonly changes: UserChanges;
  readonly call: EndpointCall;
}

const answer = ({ database }: ApiServices, { accountId, key, changes, call }: UserChange) =>
  answerOnce(database.of(accountId), call.idempotency, {
    use: (tx) => changeUser(tx, { accountId, cause: call.cause }, key, changes),
    present: (changed) => ({ data: presentChangedUser(changed), message: 'User updated' }),
  });

const DESCRIPTION = 'Only what is given changes: `meta` key by key, `preferences` as a whole.';

export const userUpdate = endpoint({
  method: 'patch',
  path: '/account/user/:userId',
  tag: 'Users',
  summary: 'Change a user by id',
  description: DESCRIPTION,
  access: 'account',
  params: userIdPath,
  body: userChanges,
  answer: userAnswer,
  refusals: ['user-not-found', 'meta-too-large'],
  handle: ({ params, body, caller: { account }, call }, services) =>
    answer(services, { accountId: account.accountId, key: { id: BigInt(params.userId) }, changes: body, call }),
});

export const userUpdateByReference = endpoint({
  method: 'patch',
  path: '/account/user/:reference/reference',
  tag: 'Users',
  summary: 'Change a user by reference',
  description: DESCRIPTION,
  access: 'account',
  params: userReferencePath,
  body: userChanges,
  answer: userAnswer,
  refusals: ['user-not-found', 'meta-too-large'],
  handle: ({ params, body, caller: { account }, call }, services) =>
    answer(services, { accountId: account.accountId, key: params, changes: body, call }),
});
