import { z } from 'zod';
import { answerWith } from '#accounts/accounts-context.js';
import { revokeApiKey } from '#accounts/api-keys.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

const REVOKED = 'API key revoked';

export const accountApiKeyRevoke = endpoint({
  method: 'delete',
  path: '/auth/account/api-keys/:id',
  tag: 'Accounts',
  summary: 'End an API key',
  description:
    'Needs a bearer token. A suspended account may call it. When it is answered, no process takes the key any more.',
  access: 'bearer',
  endsAccess: true,
  params: z.object({ id: fields.idText.meta({ description: 'The id of the key.', examples: [3] }) }),
  answer: messageOnly(REVOKED),
  refusals: ['api-key-not-found'],
  handle: ({ params, caller, cause, call }, { accounts }) =>
    answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => revokeApiKey(context, caller.account.accountId, BigInt(params.id)),
      present: () => ({ message: REVOKED }),
    }),
});
