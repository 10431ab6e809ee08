import { z } from 'zod';
import { logIn } from '#accounts/sessions.js';
import { Unauthorized } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { loginKeys } from '#http/limits/rate-limits.js';
import { endpoint } from '../../endpoint.js';
import { dataWith, text } from '../../fields/answers.js';
import { secondFactorCode } from '../../fields/second-factor-code.js';

const accessToken = z
  .strictObject({ token: text('Goes into the Authorization header: `Bearer <token>`. It lives 24 hours.') })
  .meta({ id: 'AccessToken', examples: [{ token: `7.${'Example'.repeat(6)}0` }] });

export const accountLogin = endpoint({
  method: 'post',
  path: '/auth/login/account',
  tag: 'Accounts',
  summary: 'Log in and receive an access token',
  description:
    'Who has a second factor sends a `code` too. Without one, a right password is answered with 401, `Second factor required`. A wrong code is answered and counted as a wrong password.',
  access: 'public',
  limit: 'address',
  hashesPassword: true,
  body: z
    .strictObject({
      email: fields.email.meta({ description: 'The e-mail address of the account.' }),
      password: fields.secret.meta({ description: 'Its password.' }),
      code: secondFactorCode.nullish(),
    })
    .meta({ id: 'LogIn', examples: [{ email: 'owner@example.com', password: 'correct horse' }] }),
  answer: dataWith(accessToken, 'Logged in'),
  refusals: ['unauthorized', 'login-code-needed', 'second-factor-off'],
  async handle({ body, address, cause, logAccount }, { accounts, passwords, limits }) {
    const request = { ...body, code: body.code ?? undefined, onAccount: logAccount };
    const token = await limits.guess(loginKeys(body.email, address), (asker) =>
      logIn({ ...accounts, cause, passwords: passwords.for(asker) }, request),
    );
    if (token === undefined) throw new Unauthorized();
    return { data: { token }, message: 'Logged in' };
  },
});
