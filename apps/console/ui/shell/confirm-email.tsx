import { confirmEmail, FORGOT_PATH } from '../api/session.js';
import { PASSWORD } from '../forms/fields.js';
import { TokenPage } from './token-page.js';

/** Proves the address of an account. */
export const ConfirmEmailPage = ({ token }: { readonly token: string }) => (
  <TokenPage
    title="Confirm your e-mail address"
    token={token}
    form={{
      name: 'confirm the e-mail address',
      action: 'Confirm',
      password: {
        ...PASSWORD,
        hint: 'The password of the account that you registered. If you did not register, close this page.',
      },
      send: confirmEmail,
    }}
    done={{
      title: 'Your address is confirmed',
      text: (
        <>
          It belongs to your account. <a href="/">Go to the console</a>
        </>
      ),
    }}
  >
    A link works once, for 24 hours. Is your address confirmed already? <a href="/">Go to the console</a>. Forgot your
    password? <a href={FORGOT_PATH}>Set a new one</a>: that confirms the address, too.
  </TokenPage>
);
