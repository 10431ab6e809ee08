import { findOperator } from '#accounts/operators/people-repository.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { operator, presentChanged } from './operator.js';

const RETRIEVED = 'Operator retrieved';

export const operatorMe = endpoint({
  method: 'get',
  path: '/operators/me',
  tag: 'People',
  summary: 'The person who is calling',
  description: 'Needs a bearer token.',
  access: 'bearer',
  withoutSecondFactor: true,
  answer: dataWith(operator, RETRIEVED),
  async handle({ caller }, { database }) {
    const key = { accountId: caller.account.accountId, operatorId: caller.operator?.id ?? 0n };
    return { data: presentChanged(await findOperator(database.shared, key)), message: RETRIEVED };
  },
});
