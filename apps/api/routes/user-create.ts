import { z } from 'zod';
import { createUser } from '#accounts/users/users.js';
import * as fields from '#http/fields.js';
import { answerOnce } from '#idempotency/idempotency.js';
import { dataWith } from '../answers/fields.js';
import { createdUser } from '../answers/user.js';
import { endpoint } from '../endpoint.js';
import { presentCreatedUser } from '../presenters/user.js';
import * as userFields from '../user-fields.js';

export const userCreate = endpoint({
  method: 'post',
  path: '/account/user',
  tag: 'Users',
  summary: 'Create a user',
  access: 'account',
  status: 201,
  body: z
    .strictObject({
      name: userFields.userName,
      reference: fields.reference.nullish().meta({
        description: 'What the business calls the user. Without one, one is made up: `a<account_id>_user_<random>`.',
      }),
      preferences: userFields.preferences.nullish(),
      meta: userFields.meta.nullish(),
    })
    .meta({ id: 'CreateUser', examples: [{ name: 'Ann', reference: 'ann', meta: { favourite_team: 'Rovers' } }] }),
  answer: dataWith(createdUser, 'User created'),
  refusals: ['user-reference-taken'],
  async handle({ body, caller, idempotency }, { database }) {
    const wanted = {
      name: body.name,
      reference: body.reference ?? undefined,
      preferences: body.preferences ?? null,
      meta: body.meta ?? null,
    };
    return answerOnce(database, idempotency, {
      use: (queryable) => createUser(queryable, caller.account.accountId, wanted),
      present: (user) => ({ data: presentCreatedUser(user), message: 'User created' }),
    });
  },
});
