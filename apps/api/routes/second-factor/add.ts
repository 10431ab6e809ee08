import { z } from 'zod';
import { addSecondFactor } from '#accounts/second-factor/second-factor.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith, text } from '../../fields/answers.js';
import { changeFactor } from './second-factor.js';

const BEGUN = 'Second factor begun. Confirm it with a code';

const begunFactor = z
  .strictObject({
    secret: text('What the app takes, in base32. It is shown only this once.'),
    uri: text('The same as an address, `otpauth://totp/…`, for a QR code.'),
  })
  .meta({
    id: 'BegunSecondFactor',
    examples: [
      {
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Betting%20Ledger:owner%40example.com?issuer=Betting%20Ledger&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
      },
    ],
  });

export const accountSecondFactorAdd = endpoint({
  method: 'post',
  path: '/auth/account/second-factor',
  tag: 'Accounts',
  summary: 'Begin a second factor of one’s own: codes of an authenticator app',
  description:
    'Needs a bearer token. Codes are those of RFC 6238: SHA-1, 6 digits, 30 seconds. It has no effect until it is confirmed; begun again, the one before is forgotten.',
  access: 'bearer',
  limit: 'address',
  hashesPassword: true,
  freshProof: true,
  withoutSecondFactor: true,
  status: 201,
  body: z
    .strictObject({ password: fields.secret.meta({ description: 'The password of the operator.' }) })
    .meta({ id: 'AddSecondFactor', examples: [{ password: 'correct horse' }] }),
  carriesSecret: true,
  answer: dataWith(begunFactor, BEGUN),
  refusals: ['current-password-wrong', 'second-factor-active', 'second-factor-off'],
  async handle(request, services) {
    const { password } = request.body;
    const data = await changeFactor(request, services, (context, change) =>
      addSecondFactor(context, { ...change, password }),
    );
    return { data, message: BEGUN };
  },
});
