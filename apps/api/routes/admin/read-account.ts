import { z } from 'zod';
import { readAccount } from '#accounts/accounts.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { account, presentAccount } from '../accounts/account.js';

export const adminAccountRead = endpoint({
  method: 'get',
  path: '/admin/accounts/:id',
  tag: 'Administration',
  summary: 'Read an account',
  access: 'admin',
  params: z.object({ id: fields.idText.meta({ description: 'The id of the account.', examples: [7] }) }),
  answer: dataWith(account, 'Account retrieved'),
  refusals: ['account-not-found'],
  async handle({ params }, { database }) {
    return {
      data: presentAccount(await readAccount(database.shared, BigInt(params.id))),
      message: 'Account retrieved',
    };
  },
});
