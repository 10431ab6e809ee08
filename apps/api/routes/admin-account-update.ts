import { z } from 'zod';
import { accountRoles } from '#accounts/account.js';
import { changeAccount } from '#accounts/administration.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../endpoint.js';
import { presentAccount } from '../presenters/account.js';
import { preferences } from '../user-fields.js';

/** Whether users may go below zero is always said, as it is for a new account. */
const accountPreferences = preferences.transform((given) => ({ allow_negative_balance: false, ...given }));

export const adminAccountUpdate = endpoint({
  method: 'patch',
  path: '/admin/accounts/:id',
  summary: 'Change an account',
  access: 'admin',
  status: 200,
  params: z.object({ id: fields.idText }),
  body: z.strictObject({
    name: fields.line().optional(),
    preferences: accountPreferences.optional(),
    role: z.enum(accountRoles).optional(),
  }),
  async handle({ params, body }, { accounts }) {
    return { data: presentAccount(await changeAccount(accounts, BigInt(params.id), body)), message: 'Account updated' };
  },
});
