import { z } from 'zod';
import { answerWith } from '#accounts/accounts-context.js';
import { endSession } from '#accounts/sessions.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { ownOperatorOf } from '../../guards/visible-accounts.js';

const ENDED = 'Session ended';

export const accountSessionEnd = endpoint({
  method: 'delete',
  path: '/auth/account/sessions/:id',
  tag: 'Accounts',
  summary: 'End a session',
  description:
    "Needs a bearer token. Everybody ends their own sessions, owners those of all people. A suspended account may call it. When it is answered, no process takes the session's token any more.",
  access: 'bearer',
  endsAccess: true,
  freshProof: true,
  params: z.object({ id: fields.idText.meta({ description: 'The id of the session.', examples: [12] }) }),
  answer: messageOnly(ENDED),
  refusals: ['session-not-found'],
  handle: ({ params, caller, cause, call }, { accounts }) =>
    answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) =>
        endSession(context, {
          accountId: caller.account.accountId,
          tokenId: BigInt(params.id),
          operatorId: ownOperatorOf(caller),
        }),
      present: () => ({ message: ENDED }),
    }),
});
