import { z } from 'zod';
import { confirmNewFactor } from '#accounts/second-factor/second-factor.js';
import { endpoint } from '../../endpoint.js';
import { dataWith, text } from '../../fields/answers.js';
import { secondFactorCode } from '../../fields/second-factor-code.js';
import { changeFactor } from './second-factor.js';

const ADDED = 'Second factor added. The recovery codes are shown only this once';

const recoveryCodes = z
  .strictObject({
    recovery_codes: z
      .array(text('Logs in once in place of a code of the app.'))
      .meta({ description: 'For who has lost the app: ten, each works once.' }),
  })
  .meta({
    id: 'RecoveryCodes',
    examples: [{ recovery_codes: ['7h2k-0v9d-m3xq-5tz8', 'c4wn-8r1f-y6pe-2jg7'] }],
  });

export const accountSecondFactorConfirm = endpoint({
  method: 'post',
  path: '/auth/account/second-factor/confirm',
  tag: 'Accounts',
  summary: 'Confirm the second factor that was begun, with a code of it',
  description: 'Needs a bearer token. From then on the log-in takes a code. The operator gets a mail.',
  access: 'bearer',
  limit: 'address',
  freshProof: true,
  withoutSecondFactor: true,
  body: z.strictObject({ code: secondFactorCode }).meta({ id: 'ConfirmSecondFactor', examples: [{ code: '287082' }] }),
  carriesSecret: true,
  answer: dataWith(recoveryCodes, ADDED),
  refusals: ['code-wrong', 'second-factor-active', 'second-factor-not-begun', 'second-factor-off'],
  async handle(request, services) {
    const { code } = request.body;
    const codes = await changeFactor(request, services, (context, change) =>
      confirmNewFactor(context, { ...change, code }),
    );
    return { data: { recovery_codes: [...codes] }, message: ADDED };
  },
});
