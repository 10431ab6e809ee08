export { ForgotPasswordPage, ResetPasswordPage } from './forgot-password.js';
export { RequiredFactorPage } from './required-factor.js';
export { AcceptInvitationPage, ConfirmEmailPage } from './token-page.js';
