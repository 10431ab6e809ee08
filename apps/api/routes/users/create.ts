import { z } from 'zod';
import type { CreatedUser } from '#accounts/users/user-repository.js';
import { createUser } from '#accounts/users/users.js';
import * as fields from '#http/fields.js';
import { answerOnce } from '#idempotency/idempotency.js';
import { endpoint } from '../../endpoint.js';
import { dataWith, id, moment, text } from '../../fields/answers.js';
import { preferences } from '../../fields/preferences.js';
import { createdUserExample, userMeta, userNameField } from './user.js';

export const createdUser = z
  .strictObject({
    id: id('Its id.'),
    reference: text('As given, or one that was made up for it.'),
    created_at: moment('Now.'),
  })
  .meta({ id: 'CreatedUser', examples: [createdUserExample] });

export function presentCreatedUser({ id, reference, createdAt }: CreatedUser): z.output<typeof createdUser> {
  return { id: Number(id), reference, created_at: createdAt };
}

export const userCreate = endpoint({
  method: 'post',
  path: '/account/user',
  tag: 'Users',
  summary: 'Create a user',
  access: 'account',
  status: 201,
  body: z
    .strictObject({
      name: userNameField,
      reference: fields.reference.nullish().meta({
        description: 'What the business calls the user. Without one, one is made up: `a<account_id>_user_<random>`.',
      }),
      preferences: preferences.nullish(),
      meta: userMeta.nullish(),
    })
    .meta({ id: 'CreateUser', examples: [{ name: 'Ann', reference: 'ann', meta: { favourite_team: 'Rovers' } }] }),
  answer: dataWith(createdUser, 'User created'),
  refusals: ['user-reference-taken'],
  async handle({ body, caller, call }, { database }) {
    const wanted = {
      name: body.name,
      reference: body.reference ?? undefined,
      preferences: body.preferences ?? null,
      meta: body.meta ?? null,
    };
    return answerOnce(database.of(caller.account.accountId), call.idempotency, {
      use: (tx) => createUser(tx, { accountId: caller.account.accountId, cause: call.cause }, wanted),
      present: (created) => ({ data: presentCreatedUser(created), message: 'User created' }),
    });
  },
});
