import { z } from 'zod';
import { verifyEmail } from '#accounts/email-proof.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

export const accountVerifyEmail = endpoint({
  method: 'get',
  path: '/auth/account/verify-email',
  tag: 'Accounts',
  summary: 'Verify an e-mail address with the token from the mail',
  description:
    'A token lives 24 hours and works here once. Programs that scan mails may open the link, so it does not prove whose account it is: `POST /auth/account/confirm-email` takes the same token with the password.',
  access: 'public',
  limit: 'address',
  // Trackers of links in mails add parameters of their own: they are ignored.
  query: z
    .object({
      token: fields.secret.meta({ description: 'The token from the mail.', examples: [`7.${'Example'.repeat(6)}0`] }),
    })
    .catchall(z.any()),
  answer: messageOnly('E-mail address verified'),
  refusals: ['verification-token-invalid'],
  async handle({ query, cause }, { accounts }) {
    await verifyEmail({ ...accounts, cause }, query.token);
    return { message: 'E-mail address verified' };
  },
});
