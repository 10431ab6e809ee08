import { answerWith } from '#accounts/accounts-context.js';
import { removeOperator } from '#accounts/operators/manage-operators.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { credentialOf, operatorPath, presentChanged } from './operator.js';

const DELETED = 'Operator deleted';

export const operatorDelete = endpoint({
  method: 'delete',
  path: '/operators/:id',
  tag: 'People',
  summary: 'Delete a person',
  description:
    'Needs a bearer token. A suspended account may call it. Its sessions and the keys that it made end: when it is answered, no process takes them any more. Its name stays in trails; its e-mail address may be invited again. An active owner is always left.',
  access: 'bearer',
  freshProof: true,
  endsAccess: true,
  limit: 'address',
  params: operatorPath,
  answer: messageOnly(DELETED),
  refusals: ['operator-not-found', 'last-owner', 'two-people-needed'],
  handle: ({ params, caller, cause, call }, { accounts }) =>
    answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => removeOperator(context, credentialOf(caller), BigInt(params.id)),
      present(removed) {
        presentChanged(removed);
        return { message: DELETED };
      },
    }),
});
