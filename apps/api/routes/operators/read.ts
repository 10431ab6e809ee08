import { z } from 'zod';
import { readOperator } from '#accounts/operators/manage-operators.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { operator, operatorPath, presentOperator } from './operator.js';

const RETRIEVED = 'Operator retrieved';

export const operatorRead = endpoint({
  method: 'get',
  path: '/operators/:id',
  tag: 'People',
  summary: 'Read a person of an account',
  access: 'account',
  params: operatorPath,
  query: z.object({ account_id: accountId }),
  answer: dataWith(operator, RETRIEVED),
  refusals: ['operator-not-found'],
  async handle({ params, query, caller }, { database }) {
    const key = { accountId: visibleAccount(caller, query.account_id), operatorId: BigInt(params.id) };
    return { data: presentOperator(await readOperator(database.shared, key)), message: RETRIEVED };
  },
});
