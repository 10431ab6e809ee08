import { z } from 'zod';
import { resetPassword } from '#accounts/password-changes.js';
import * as fields from '#http/fields.js';
import { Refusal } from '#refusals/refusal.js';
import { endpoint } from '../endpoint.js';

export const accountResetPassword = endpoint({
  method: 'post',
  path: '/auth/account/reset-password',
  summary: 'Change the password, knowing the current one',
  access: 'account',
  limit: 'address',
  status: 200,
  body: z.strictObject({
    password: fields.secret,
    new_password: fields.newPassword,
    password_confirmation: fields.secret,
  }),
  carriesSecret: true,
  async handle({ body, caller }, { accounts, limits }) {
    if (body.new_password !== body.password_confirmation) throw new Refusal('new-passwords-differ');
    const { accountId } = caller.account;
    const reset = {
      accountId,
      keepTokenId: caller.tokenId,
      currentPassword: body.password,
      newPassword: body.new_password,
    };
    await limits.guess([['current-password', String(accountId)]], async () => {
      await resetPassword(accounts, reset);
      return true;
    });
    return { message: 'Password changed' };
  },
});
