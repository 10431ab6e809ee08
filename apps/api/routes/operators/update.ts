import { z } from 'zod';
import { answerWith } from '#accounts/accounts-context.js';
import { changeOperator } from '#accounts/operators/manage-operators.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { callerRole } from '../../fields/enums.js';
import { credentialOf, operator, operatorPath, personName, presentChanged } from './operator.js';

const UPDATED = 'Operator updated';

export const operatorUpdate = endpoint({
  method: 'patch',
  path: '/operators/:id',
  tag: 'People',
  summary: 'Change a person, suspend it, or end its suspension',
  description:
    'Needs a bearer token. When it is answered, every process knows of it. A suspension ends the sessions of the person; the keys that it made open nothing until it ends. An active owner is always left. Who is invited becomes active by accepting.',
  access: 'bearer',
  freshProof: true,
  limit: 'address',
  params: operatorPath,
  body: z
    .strictObject({
      name: personName.optional().meta({ description: 'As trails show it from then on.' }),
      role: callerRole.optional(),
      state: z
        .enum(['active', 'suspended'])
        .optional()
        .meta({ description: 'Suspends an active person, or ends its suspension.', examples: ['suspended'] }),
    })
    .meta({ id: 'UpdateOperator', examples: [{ role: 'settler' }] }),
  answer: dataWith(operator, UPDATED),
  refusals: ['operator-not-found', 'operator-invited', 'last-owner', 'two-people-needed'],
  handle: ({ params, body, caller, cause, call }, { accounts }) =>
    answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) => changeOperator(context, credentialOf(caller), { ...body, operatorId: BigInt(params.id) }),
      present: (changed) => ({ data: presentChanged(changed), message: UPDATED }),
    }),
});
