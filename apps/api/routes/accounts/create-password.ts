import { z } from 'zod';
import { createForgottenPassword } from '#accounts/password-changes.js';
import * as fields from '#http/fields.js';
import { resetCodeKeys } from '#http/limits/rate-limits.js';
import { Refusal } from '#platform/errors/refusal.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

const CREATED = 'Password created. You can log in with it now';

export const accountCreatePassword = endpoint({
  method: 'post',
  path: '/auth/account/create-password-for-forgot-password',
  tag: 'Accounts',
  summary: 'Set a new password with the reset code from the mail',
  description:
    'Ends every access token, and every API key when `end_access` is true or the e-mail address was not verified before. ' +
    'The address counts as verified: the code came through it.',
  access: 'public',
  limit: 'address',
  hashesPassword: true,
  status: 200,
  body: z
    .strictObject({
      email: fields.email.meta({ description: 'The e-mail address of the account.' }),
      token: fields.secret.meta({ description: 'The code from the mail: 8 digits, for an hour and 5 tries.' }),
      password: fields.newPassword.meta({ description: `The new one. ${fields.NEW_PASSWORD_TEXT}` }),
      password_confirmation: fields.secret.meta({ description: 'The new one again.' }),
      end_access: z.boolean().nullish().meta({
        default: false,
        description: 'Whether the API keys end, too. They always end when the e-mail address was not verified before.',
      }),
    })
    .meta({
      id: 'CreatePassword',
      examples: [
        {
          email: 'owner@example.com',
          token: '40718263',
          password: 'battery staple',
          password_confirmation: 'battery staple',
        },
      ],
    }),
  answer: messageOnly(CREATED),
  refusals: ['passwords-differ', 'reset-code-invalid', 'password-obvious'],
  async handle({ body, address, cause }, { accounts, passwords, limits }) {
    if (body.password !== body.password_confirmation) throw new Refusal('passwords-differ');
    const forgotten = {
      email: body.email,
      code: body.token,
      newPassword: body.password,
      endsAccess: body.end_access ?? false,
    };
    await limits.guess(resetCodeKeys(body.email, address), async (asker) => {
      await createForgottenPassword({ ...accounts, cause, passwords: passwords.for(asker) }, forgotten);
      return true;
    });
    return { message: CREATED };
  },
});
