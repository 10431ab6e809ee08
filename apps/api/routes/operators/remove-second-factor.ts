import { answerWith } from '#accounts/accounts-context.js';
import { removeLostFactor } from '#accounts/operators/manage-operators.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { credentialOf, operatorPath, presentChanged } from './operator.js';

const REMOVED = 'Second factor removed';

export const operatorSecondFactorRemove = endpoint({
  method: 'delete',
  path: '/operators/:id/second-factor',
  tag: 'People',
  summary: 'Remove the second factor that another person has lost',
  description:
    'Needs a bearer token. The sessions of the person end, it gets a mail, and its password is enough for the next log-in. Make sure who asks: you vouch for the person, as with its invitation.',
  access: 'bearer',
  freshProof: true,
  endsAccess: true,
  limit: 'address',
  params: operatorPath,
  answer: messageOnly(REMOVED),
  refusals: ['operator-not-found', 'own-factor-with-code', 'second-factor-missing'],
  handle: ({ params, caller, cause, call }, { accounts }) =>
    answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => removeLostFactor(context, credentialOf(caller), BigInt(params.id)),
      present(removed) {
        presentChanged(removed);
        return { message: REMOVED };
      },
    }),
});
