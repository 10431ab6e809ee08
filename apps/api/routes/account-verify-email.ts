import { z } from 'zod';
import { verifyEmail } from '#accounts/registration.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../endpoint.js';

export const accountVerifyEmail = endpoint({
  method: 'get',
  path: '/auth/account/verify-email',
  summary: 'Confirm an e-mail address with the token from the mail',
  access: 'public',
  limit: 'address',
  status: 200,
  query: z.object({ token: fields.secret }),
  async handle({ query }, { accounts }) {
    await verifyEmail(accounts, query.token);
    return { message: 'E-mail address verified' };
  },
});
