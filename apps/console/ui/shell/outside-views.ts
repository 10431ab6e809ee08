export { AcceptInvitationPage } from './accept-invitation.js';
export { ConfirmEmailPage } from './confirm-email.js';
export { ForgotPasswordPage, ResetPasswordPage } from './forgot-password.js';
export { RequiredFactorPage } from './required-factor.js';
