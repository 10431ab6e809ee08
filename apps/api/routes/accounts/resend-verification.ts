import { idempotentContext } from '#accounts/accounts-context.js';
import { resendVerification } from '#accounts/registration.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

export const accountResendVerification = endpoint({
  method: 'post',
  path: '/auth/account/resend-verification-email',
  tag: 'Accounts',
  summary: 'Send the verification mail again',
  access: 'account',
  limit: 'address',
  status: 200,
  answer: messageOnly('Verification e-mail sent', 'The e-mail address is already verified'),
  async handle({ caller, idempotency }, { accounts, limits }) {
    const { accountId } = caller.account;
    await limits.count('verification-mail', String(accountId));
    const answer = { message: 'Verification e-mail sent' };
    const sent = await resendVerification(
      idempotentContext(accounts, idempotency, () => answer),
      accountId,
    );
    return sent ? answer : { message: 'The e-mail address is already verified' };
  },
});
