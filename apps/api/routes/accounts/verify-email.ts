import { z } from 'zod';
import { verifyEmail } from '#accounts/registration.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

export const accountVerifyEmail = endpoint({
  method: 'get',
  path: '/auth/account/verify-email',
  tag: 'Accounts',
  summary: 'Confirm an e-mail address with the token from the mail',
  description: 'The link in the mail leads here. A token lives 24 hours and works once.',
  access: 'public',
  limit: 'address',
  status: 200,
  query: z.object({
    token: fields.secret.meta({ description: 'The token from the mail.', examples: [`7.${'Example'.repeat(6)}0`] }),
  }),
  answer: messageOnly('E-mail address verified'),
  refusals: ['verification-token-invalid'],
  async handle({ query, cause }, { accounts }) {
    await verifyEmail({ ...accounts, cause }, query.token);
    return { message: 'E-mail address verified' };
  },
});
