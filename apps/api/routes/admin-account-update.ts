import { z } from 'zod';
import type { Account } from '#accounts/account.js';
import { accountRoles } from '#accounts/account.js';
import { changeAccount } from '#accounts/administration.js';
import { keptIn } from '#accounts/context.js';
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
  async handle({ params, body, keeping }, { accounts }) {
    const present = (account: Account) => ({ data: presentAccount(account), message: 'Account updated' });
    return present(await changeAccount(keptIn(accounts, keeping, present), BigInt(params.id), body));
  },
});
