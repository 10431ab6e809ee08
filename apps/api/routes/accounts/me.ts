import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { ownAccount, presentMoney } from './account.js';

export const accountMe = endpoint({
  method: 'get',
  path: '/auth/account/me',
  tag: 'Accounts',
  summary: 'The account that is calling',
  access: 'account',
  withoutSecondFactor: true,
  answer: dataWith(ownAccount, 'Account retrieved'),
  async handle({ caller: { account } }) {
    return {
      data: {
        id: Number(account.accountId),
        name: account.name,
        email: account.email,
        api_key_generated_at: account.apiKeyGeneratedAt,
        ...presentMoney(account),
        created_at: account.createdAt,
        updated_at: account.updatedAt,
      },
      message: 'Account retrieved',
    };
  },
});
