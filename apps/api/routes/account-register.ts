import { z } from 'zod';
import { registerAccount } from '#accounts/registration.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../endpoint.js';

export const accountRegister = endpoint({
  method: 'post',
  path: '/auth/register/account',
  summary: 'Register a business',
  access: 'public',
  limit: 'address',
  status: 201,
  body: z.strictObject({ name: fields.line(), email: fields.email, password: fields.newPassword }),
  async handle({ body }, { accounts }) {
    await registerAccount(accounts, body);
    return { message: 'Account registered. Please check your e-mail to verify the address' };
  },
});
