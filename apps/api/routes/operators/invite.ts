import { z } from 'zod';
import { answerWith } from '#accounts/accounts-context.js';
import { inviteOperator } from '#accounts/operators/manage-operators.js';
import * as fields from '#http/fields.js';
import type { RateLimits } from '#http/limits/rate-limits.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { callerRole } from '../../fields/enums.js';
import { credentialOf, operator, personName, presentChanged } from './operator.js';

const INVITED = 'Invitation sent';

/** Mails to strangers are few. */
export async function countInvitation(limits: RateLimits, accountId: bigint, to: string): Promise<void> {
  await limits.count('invitation-address', `${accountId} ${to.toLowerCase()}`);
  await limits.count('invitation', String(accountId));
}

export const operatorInvite = endpoint({
  method: 'post',
  path: '/operators',
  tag: 'People',
  summary: 'Invite a person',
  description:
    'Needs a bearer token. The person gets a mail with a token, which `POST /operators/accept-invitation` takes for 7 days. An e-mail address is one operator of one account. At most 100 people for an account; 100 invitations a day, 5 of them to one address.',
  access: 'bearer',
  freshProof: true,
  limit: 'address',
  status: 201,
  body: z
    .strictObject({
      email: fields.email.meta({ description: 'Where the invitation goes, and what the person logs in with.' }),
      name: personName.meta({ description: 'As trails show it.' }),
      role: callerRole,
    })
    .meta({ id: 'InviteOperator', examples: [{ email: 'bob@example.com', name: 'Bob', role: 'trader' }] }),
  answer: dataWith(operator, INVITED),
  refusals: ['operator-email-taken', 'too-many-operators'],
  async handle({ body, caller, cause, call }, { accounts, limits }) {
    await countInvitation(limits, caller.account.accountId, body.email);
    return answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => inviteOperator(context, credentialOf(caller), body),
      present: (invited) => ({ data: presentChanged(invited), message: INVITED }),
    });
  },
});
