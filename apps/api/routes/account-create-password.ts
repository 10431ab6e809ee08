import { z } from 'zod';
import { createForgottenPassword } from '#accounts/password-changes.js';
import * as fields from '#http/fields.js';
import { Refusal } from '#refusals/refusal.js';
import { endpoint } from '../endpoint.js';

export const accountCreatePassword = endpoint({
  method: 'post',
  path: '/auth/account/create-password-for-forgot-password',
  summary: 'Set a new password with the reset code from the mail',
  access: 'public',
  limit: 'address',
  status: 200,
  body: z.strictObject({
    email: fields.email,
    token: fields.secret,
    password: fields.newPassword,
    password_confirmation: fields.secret,
  }),
  async handle({ body }, { accounts, limits }) {
    if (body.password !== body.password_confirmation) throw new Refusal('passwords-differ');
    const forgotten = { email: body.email, code: body.token, newPassword: body.password };
    await limits.guess([['reset-code', body.email]], async () => {
      await createForgottenPassword(accounts, forgotten);
      return true;
    });
    return { message: 'Password created. You can log in with it now' };
  },
});
