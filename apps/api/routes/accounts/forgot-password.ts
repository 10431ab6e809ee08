import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { forgotPassword } from '#accounts/password-changes.js';
import * as fields from '#http/fields.js';
import { resetMailKeys } from '#http/limits/rate-limits.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

/** Longer than the work takes, so that the time of the answer does not tell whether the account exists. */
const ANSWER_AFTER_MS = 150;

export const accountForgotPassword = endpoint({
  method: 'post',
  path: '/auth/account/forgot-password',
  tag: 'Accounts',
  summary: 'Ask for a password reset code by e-mail',
  description: 'The answer and its time never tell whether there is such an account.',
  access: 'public',
  limit: 'address',
  body: z
    .strictObject({ email: fields.email.meta({ description: 'The e-mail address of the account.' }) })
    .meta({ id: 'ForgotPassword', examples: [{ email: 'owner@example.com' }] }),
  answer: messageOnly('If an account with this e-mail exists, a reset code has been sent to it'),
  async handle({ body, address }, { accounts, limits }) {
    for (const key of resetMailKeys(body.email, address)) await limits.count(...key);
    await Promise.all([forgotPassword(accounts, body.email), delay(ANSWER_AFTER_MS)]);
    return { message: 'If an account with this e-mail exists, a reset code has been sent to it' };
  },
});
