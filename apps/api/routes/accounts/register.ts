import { z } from 'zod';
import { registerAccount } from '#accounts/registration.js';
import * as fields from '#http/fields.js';
import { siteOf } from '#http/limits/network.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

export const accountRegister = endpoint({
  method: 'post',
  path: '/auth/register/account',
  tag: 'Accounts',
  summary: 'Register a business',
  description: 'A mail with a link is sent to verify the address. The account can be used at once.',
  access: 'public',
  limit: 'registration',
  hashesPassword: true,
  status: 201,
  body: z
    .strictObject({
      name: fields.line().meta({ description: 'The name of the business.' }),
      email: fields.email.meta({ description: 'What it logs in with. No other account has it.' }),
      password: fields.newPassword.meta({ description: fields.NEW_PASSWORD_TEXT }),
    })
    .meta({
      id: 'Register',
      examples: [{ name: 'Corner Bets', email: 'owner@example.com', password: 'correct horse' }],
    }),
  answer: messageOnly('Account registered. Please check your e-mail to verify the address'),
  refusals: ['email-taken', 'password-obvious', 'password-common'],
  async handle({ body, address, cause, logAccount }, { accounts, passwords, limits }) {
    const accountId = await limits.inTurn(address, (asker) =>
      registerAccount({ ...accounts, cause, passwords: passwords.for(asker) }, { ...body, network: siteOf(address) }),
    );
    logAccount(accountId);
    return { message: 'Account registered. Please check your e-mail to verify the address' };
  },
});
