import { acceptInvitation } from '../api/session.js';
import { NEW_PASSWORD } from '../forms/fields.js';
import { TokenPage } from './token-page.js';

/** Lets an invited person choose a password and join the account. */
export const AcceptInvitationPage = ({ token }: { readonly token: string }) => (
  <TokenPage
    title="Accept the invitation"
    token={token}
    form={{
      name: 'accept the invitation',
      action: 'Accept the invitation',
      password: { ...NEW_PASSWORD, label: 'Choose a password', hint: '8 characters or more.' },
      send: acceptInvitation,
    }}
    done={{
      title: 'You are in',
      text: (
        <>
          Your e-mail address and this password open the console. <a href="/">Log in</a>
        </>
      ),
    }}
  >
    A link works once, for 7 days. If it does not work any more, ask who invited you for another one.
  </TokenPage>
);
