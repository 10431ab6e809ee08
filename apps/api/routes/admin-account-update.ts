import { z } from 'zod';
import type { Account } from '#accounts/account.js';
import { changeAccount } from '#accounts/accounts.js';
import { idempotentContext } from '#accounts/accounts-context.js';
import * as fields from '#http/fields.js';
import { account as accountAnswer } from '../answers/account.js';
import { dataWith } from '../answers/fields.js';
import { endpoint } from '../endpoint.js';
import { presentAccount } from '../presenters/account.js';
import { preferences } from '../user-fields.js';
import { accountRole } from '../words.js';

/** Whether users may go below zero is always said, as it is for a new account. */
const accountPreferences = preferences.transform((given) => ({ allow_negative_balance: false, ...given }));

export const adminAccountUpdate = endpoint({
  method: 'patch',
  path: '/admin/accounts/:id',
  tag: 'Administration',
  summary: 'Change an account',
  description: 'Only what is given changes.',
  access: 'admin',
  status: 200,
  params: z.object({ id: fields.idText.meta({ description: 'The id of the account.', examples: [7] }) }),
  body: z
    .strictObject({
      name: fields.line().optional().meta({ description: 'The name of the business.' }),
      preferences: accountPreferences.optional().meta({
        description: 'Replaces what there was. Without `allow_negative_balance`, that is false.',
      }),
      role: accountRole.optional().meta({ description: 'The last admin keeps its role.' }),
    })
    .meta({ id: 'ChangeAccount', examples: [{ preferences: { allow_negative_balance: true } }] }),
  answer: dataWith(accountAnswer, 'Account updated'),
  refusals: ['account-unknown', 'last-admin'],
  async handle({ params, body, idempotency }, { accounts }) {
    const present = (account: Account) => ({ data: presentAccount(account), message: 'Account updated' });
    return present(await changeAccount(idempotentContext(accounts, idempotency, present), BigInt(params.id), body));
  },
});
