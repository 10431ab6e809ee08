import { answerWith } from '#accounts/accounts-context.js';
import { resendVerification } from '#accounts/email-proof.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

export const accountResendVerification = endpoint({
  method: 'post',
  path: '/auth/account/resend-verification-email',
  tag: 'Accounts',
  summary: 'Send the verification mail again',
  description: 'At most 5 an hour and 10 a day for an account; none once the address is proved.',
  access: 'account',
  limit: 'address',
  answer: messageOnly('Verification e-mail sent', 'The e-mail address is already verified'),
  async handle({ caller, call }, { accounts, limits }) {
    const { accountId } = caller.account;
    await limits.count('verification-mail', String(accountId));
    await limits.count('verification-mail-day', String(accountId));
    return answerWith(accounts, call.idempotency, {
      use: (context) => resendVerification(context, accountId),
      // The transaction that stores the answer runs only to send a mail.
      present: (isSent) => ({
        message: isSent === false ? 'The e-mail address is already verified' : 'Verification e-mail sent',
      }),
    });
  },
});
