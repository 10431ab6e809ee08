import { answerWith } from '#accounts/accounts-context.js';
import { inviteAgain, readOperator } from '#accounts/operators/manage-operators.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { countInvitation } from './invite.js';
import { credentialOf, operator, operatorPath, presentChanged } from './operator.js';

const INVITED = 'Invitation sent';

export const operatorInviteAgain = endpoint({
  method: 'post',
  path: '/operators/:id/invite',
  tag: 'People',
  summary: 'Send an invitation again',
  description: 'Needs a bearer token. The token of the new mail lives 7 days; that of the former one ends.',
  access: 'bearer',
  freshProof: true,
  limit: 'address',
  params: operatorPath,
  answer: dataWith(operator, INVITED),
  refusals: ['operator-not-found', 'operator-joined'],
  async handle({ params, caller, cause, call }, { accounts, limits }) {
    const { accountId } = caller.account;
    const operatorId = BigInt(params.id);
    const { email } = await readOperator(accounts.database.shared, { accountId, operatorId });
    await countInvitation(limits, accountId, email);
    return answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => inviteAgain(context, credentialOf(caller), operatorId),
      present: (invited) => ({ data: presentChanged(invited), message: INVITED }),
    });
  },
});
