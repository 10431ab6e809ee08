import { z } from 'zod';
import { endAccountAccess } from '#accounts/accounts.js';
import { answerWith } from '#accounts/accounts-context.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

const ENDED = 'All access of the account ended';

export const adminAccountEndAccess = endpoint({
  method: 'post',
  path: '/admin/accounts/:id/end-access',
  tag: 'Administration',
  summary: 'End every session and API key of an account, and disable its webhook endpoints',
  description: 'The account may log in again with its password.',
  access: 'admin',
  params: z.object({ id: fields.idText.meta({ description: 'The id of the account.', examples: [7] }) }),
  answer: messageOnly(ENDED),
  refusals: ['account-not-found'],
  handle: ({ params, cause, call }, { accounts }) =>
    answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => endAccountAccess(context, BigInt(params.id)),
      present: () => ({ message: ENDED }),
    }),
});
