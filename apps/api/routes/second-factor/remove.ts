import { z } from 'zod';
import { removeSecondFactor } from '#accounts/second-factor/second-factor.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { secondFactorCode } from '../../fields/second-factor-code.js';
import { changeFactor } from './second-factor.js';

const REMOVED = 'Second factor removed';

export const accountSecondFactorRemove = endpoint({
  method: 'delete',
  path: '/auth/account/second-factor',
  tag: 'Accounts',
  summary: 'Remove the second factor of one’s own',
  description: 'Needs a bearer token, and its recovery codes end with it. The operator gets a mail.',
  access: 'bearer',
  limit: 'address',
  hashesPassword: true,
  freshProof: true,
  body: z
    .strictObject({
      password: fields.secret.meta({ description: 'The password of the operator.' }),
      code: secondFactorCode,
    })
    .meta({ id: 'RemoveSecondFactor', examples: [{ password: 'correct horse', code: '287082' }] }),
  carriesSecret: true,
  answer: messageOnly(REMOVED),
  refusals: ['current-password-wrong', 'code-wrong', 'second-factor-missing', 'second-factor-off'],
  async handle(request, services) {
    const { body } = request;
    await changeFactor(request, services, (context, change) => removeSecondFactor(context, { ...change, ...body }));
    return { message: REMOVED };
  },
});
