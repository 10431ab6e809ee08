import { z } from 'zod';
import { logIn } from '#accounts/sessions.js';
import { Unauthorized } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../endpoint.js';

export const accountLogin = endpoint({
  method: 'post',
  path: '/auth/login/account',
  summary: 'Log in and receive an access token',
  access: 'public',
  limit: 'address',
  status: 200,
  body: z.strictObject({ email: fields.email, password: fields.secret }),
  async handle({ body, address }, { accounts, limits }) {
    const here = `${address} ${body.email}`;
    // Counted before the password is checked, so that parallel guesses cannot share a try.
    await limits.count('login-here', here);
    await limits.count('login-anywhere', body.email);
    const token = await logIn(accounts, body);
    if (token === undefined) throw new Unauthorized();
    await Promise.all([limits.forgive('login-here', here), limits.forgive('login-anywhere', body.email)]);
    return { data: { token }, message: 'Logged in' };
  },
});
