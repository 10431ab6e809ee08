import { z } from 'zod';
import { changeAccount } from '#accounts/accounts.js';
import { answerWith } from '#accounts/accounts-context.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountRole, accountStatus } from '../../fields/enums.js';
import { accountPreferences } from '../../fields/preferences.js';
import { account, presentAccount } from '../accounts/account.js';

/** Accounts always store whether their users may go below zero, from registration on. */
const newPreferences = accountPreferences.transform(({ approvals: _, ...given }) => ({
  allow_negative_balance: false,
  ...given,
}));

export const adminAccountUpdate = endpoint({
  method: 'patch',
  path: '/admin/accounts/:id',
  tag: 'Administration',
  summary: 'Change an account',
  description: 'Only what is given changes.',
  access: 'admin',
  params: z.object({ id: fields.idText.meta({ description: 'The id of the account.', examples: [7] }) }),
  body: z
    .strictObject({
      name: fields.line().optional().meta({ description: 'The name of the business.' }),
      preferences: newPreferences.optional().meta({
        description:
          'Replaces what there was. Without `allow_negative_balance`, that is false. `approvals` stay as the account has set them.',
      }),
      role: accountRole.optional().meta({ description: 'The last admin keeps its role.' }),
      status: accountStatus.optional().meta({ description: 'The last active admin cannot be suspended.' }),
    })
    .meta({ id: 'ChangeAccount', examples: [{ preferences: { allow_negative_balance: true } }] }),
  answer: dataWith(account, 'Account updated'),
  refusals: ['account-not-found', 'sandbox-as-admin', 'last-admin', 'last-admin-active'],
  handle: ({ params, body, cause, call }, { accounts }) =>
    answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => changeAccount(context, BigInt(params.id), body),
      present: (account) => ({ data: presentAccount(account), message: 'Account updated' }),
    }),
});
