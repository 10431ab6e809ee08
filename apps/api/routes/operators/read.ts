import { readOperator } from '#accounts/operators/manage-operators.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { operator, operatorPath, presentOperator } from './operator.js';

const RETRIEVED = 'Operator retrieved';

export const operatorRead = endpoint({
  method: 'get',
  path: '/operators/:id',
  tag: 'People',
  summary: 'Read a person of an account',
  access: 'account',
  status: 200,
  params: operatorPath,
  answer: dataWith(operator, RETRIEVED),
  refusals: ['operator-not-found'],
  async handle({ params, caller }, { database }) {
    const key = { accountId: caller.account.accountId, operatorId: BigInt(params.id) };
    return { data: presentOperator(await readOperator(database.shared, key)), message: RETRIEVED };
  },
});
