import { z } from 'zod';
import * as fields from '#http/fields.js';
import { keptAnswer } from '#idempotency/kept-answers.js';
import { createUser } from '#users/users.js';
import { endpoint } from '../endpoint.js';
import { presentCreatedUser } from '../presenters/user.js';
import * as userFields from '../user-fields.js';

export const userCreate = endpoint({
  method: 'post',
  path: '/account/user',
  summary: 'Create a user',
  access: 'account',
  status: 201,
  body: z.strictObject({
    name: fields.line(),
    reference: fields.reference.nullish(),
    preferences: userFields.preferences.nullish(),
    meta: userFields.meta.nullish(),
  }),
  async handle({ body, caller, keeping }, { database }) {
    const wanted = {
      name: body.name,
      reference: body.reference ?? undefined,
      preferences: body.preferences ?? null,
      meta: body.meta ?? null,
    };
    return keptAnswer(database, keeping, {
      use: (queryable) => createUser(queryable, caller.account.accountId, wanted),
      present: (user) => ({ data: presentCreatedUser(user), message: 'User created' }),
    });
  },
});
