import { z } from 'zod';
import { confirmCaller } from '#accounts/second-factor/second-factor.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { secondFactorCode } from '../../fields/second-factor-code.js';
import { changeFactor } from '../second-factor/second-factor.js';

const CONFIRMED = 'Password confirmed';

export const accountConfirm = endpoint({
  method: 'post',
  path: '/auth/account/confirm',
  tag: 'Accounts',
  summary: 'Prove once more that one uses the session',
  description:
    'Needs a bearer token. For 15 minutes, as after the log-in, the session may then do what is answered with 403, `Confirm your password`, otherwise. Who has a second factor sends a `code` too.',
  access: 'bearer',
  limit: 'address',
  hashesPassword: true,
  withoutSecondFactor: true,
  body: z
    .strictObject({
      password: fields.secret.meta({ description: 'The password of the operator.' }),
      code: secondFactorCode.nullish(),
    })
    .meta({ id: 'ConfirmPassword', examples: [{ password: 'correct horse' }] }),
  carriesSecret: true,
  answer: messageOnly(CONFIRMED),
  refusals: ['current-password-wrong', 'code-needed', 'code-wrong', 'second-factor-off'],
  async handle(request, services) {
    const { password, code } = request.body;
    await changeFactor(request, services, (context, change) =>
      confirmCaller(context, { ...change, password, code: code ?? undefined }),
    );
    return { message: CONFIRMED };
  },
});
