import { z } from 'zod';
import { resetPassword } from '#accounts/password-changes.js';
import * as fields from '#http/fields.js';
import { currentPasswordKeys } from '#http/limits/rate-limits.js';
import { Refusal } from '#platform/errors/refusal.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { passwordCallerOf } from '../../guards/proven-password.js';

export const accountResetPassword = endpoint({
  method: 'post',
  path: '/auth/account/reset-password',
  tag: 'Accounts',
  summary: 'Change the password, knowing the current one',
  description: 'Ends every other access token of the operator.',
  access: 'account',
  limit: 'address',
  hashesPassword: true,
  body: z
    .strictObject({
      password: fields.secret.meta({ description: 'The current one.' }),
      new_password: fields.newPassword.meta({ description: `The new one. ${fields.NEW_PASSWORD_TEXT}` }),
      password_confirmation: fields.secret.meta({ description: 'The new one again.' }),
    })
    .meta({
      id: 'ResetPassword',
      examples: [
        { password: 'correct horse', new_password: 'battery staple', password_confirmation: 'battery staple' },
      ],
    }),
  carriesSecret: true,
  answer: messageOnly('Password changed'),
  refusals: ['new-passwords-differ', 'current-password-wrong', 'password-obvious', 'password-common'],
  async handle({ body, caller, address, cause }, { accounts, passwords, limits }) {
    if (body.new_password !== body.password_confirmation) throw new Refusal('new-passwords-differ');
    const { accountId } = caller.account;
    const reset = {
      accountId,
      operatorId: caller.operator?.id,
      callerTokenId: caller.tokenId,
      currentPassword: body.password,
      newPassword: body.new_password,
    };
    await limits.guess(currentPasswordKeys(passwordCallerOf(caller), address), async (asker) => {
      await resetPassword({ ...accounts, cause, passwords: passwords.for(asker) }, reset);
      return true;
    });
    return { message: 'Password changed' };
  },
});
