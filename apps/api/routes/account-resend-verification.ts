import { resendVerification } from '#accounts/registration.js';
import { endpoint } from '../endpoint.js';

export const accountResendVerification = endpoint({
  method: 'post',
  path: '/auth/account/resend-verification-email',
  summary: 'Send the verification mail again',
  access: 'account',
  limit: 'address',
  status: 200,
  async handle({ caller }, { accounts, limits }) {
    const { accountId } = caller.account;
    await limits.count('verification-mail', String(accountId));
    const sent = await resendVerification(accounts, accountId);
    return { message: sent ? 'Verification e-mail sent' : 'The e-mail address is already verified' };
  },
});
