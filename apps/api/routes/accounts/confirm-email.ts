import { z } from 'zod';
import { confirmEmail, findVerification } from '#accounts/email-proof.js';
import * as fields from '#http/fields.js';
import { currentPasswordKeys } from '#http/limits/rate-limits.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

const CONFIRMED = 'E-mail address confirmed';

export const accountConfirmEmail = endpoint({
  method: 'post',
  path: '/auth/account/confirm-email',
  tag: 'Accounts',
  summary: 'Confirm an e-mail address with the token from the mail and the password',
  description:
    'Proves that the account belongs to the owner of the address. A token lives 24 hours and works once, also after `GET /auth/account/verify-email`.',
  access: 'public',
  limit: 'address',
  hashesPassword: true,
  body: z
    .strictObject({
      token: fields.secret.meta({ description: 'The token from the mail.' }),
      password: fields.secret.meta({ description: 'The password of the account.' }),
    })
    .meta({ id: 'ConfirmEmail', examples: [{ token: `7.${'Example'.repeat(6)}0`, password: 'correct horse' }] }),
  answer: messageOnly(CONFIRMED),
  refusals: ['verification-token-invalid', 'password-wrong'],
  async handle({ body, address, cause, logAccount }, { accounts, passwords, limits }) {
    const token = await findVerification(accounts, body.token);
    logAccount(token.accountId);
    await limits.guess(
      currentPasswordKeys({ accountId: token.accountId, operatorId: undefined }, address),
      async (asker) => {
        await confirmEmail({ ...accounts, cause, passwords: passwords.for(asker) }, token, body.password);
        return true;
      },
    );
    return { message: CONFIRMED };
  },
});
