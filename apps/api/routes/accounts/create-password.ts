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
    'Ends every access token and API key, and disables every webhook endpoint, unless `end_access` is false. The code proves ' +
    "that the e-mail address is the caller's own; while nothing had proved that, `end_access: false` has no effect.",
  access: 'public',
  limit: 'address',
  hashesPassword: true,
  body: z
    .strictObject({
      email: fields.email.meta({ description: 'The e-mail address of the account.' }),
      token: fields.secret.meta({ description: 'The code from the mail: 8 digits, for 10 minutes and 5 tries.' }),
      password: fields.newPassword.meta({ description: `The new one. ${fields.NEW_PASSWORD_TEXT}` }),
      password_confirmation: fields.secret.meta({ description: 'The new one again.' }),
      end_access: z
        .boolean()
        .nullish()
        .meta({
          default: true,
          description:
            'Whether API keys end and webhook endpoints are disabled, too. They always are while neither an earlier code nor a ' +
            'confirmation with the password had proved the e-mail address.',
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
  refusals: ['passwords-differ', 'reset-code-invalid', 'password-obvious', 'password-common'],
  async handle({ body, address, cause }, { accounts, passwords, limits }) {
    if (body.password !== body.password_confirmation) throw new Refusal('passwords-differ');
    const forgotten = {
      email: body.email,
      code: body.token,
      newPassword: body.password,
      endsAccess: body.end_access ?? true,
    };
    await limits.guess(resetCodeKeys(body.email, address), async (asker) => {
      await createForgottenPassword({ ...accounts, cause, passwords: passwords.for(asker) }, forgotten);
      return true;
    });
    return { message: CREATED };
  },
});
