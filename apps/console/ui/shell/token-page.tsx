import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { acceptInvitation, confirmEmail, FORGOT_PATH } from '../api/session.js';
import { NEW_PASSWORD, PASSWORD } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import type { FieldOptions } from '../forms/use-form.js';
import { OutsidePage } from './outside-page.js';

interface TokenPageProps {
  readonly title: string;
  readonly token: string;
  readonly form: {
    readonly name: string;
    readonly action: string;
    readonly password: FieldOptions;
    readonly send: (token: string, password: string) => Promise<void>;
  };
  /** What follows. */
  readonly done: { readonly title: string; readonly text: ComponentChildren };
  /** What else may help. */
  readonly children: ComponentChildren;
}

/** A page to which the link of a mail leads: with its token it takes a password. It needs no session. */
function TokenPage({ title, token, form: { password, send, ...form }, done, children }: TokenPageProps) {
  const isDone = useSignal(false);
  if (isDone.value) {
    return (
      <OutsidePage key="done" title={done.title} isNext>
        <p role="status">{done.text}</p>
      </OutsidePage>
    );
  }
  return (
    <OutsidePage title={title}>
      {token === '' ? (
        <p role="alert">This address has no token. Open the whole link of the mail.</p>
      ) : (
        <Form
          {...form}
          hasNoKey
          fields={{ password }}
          send={({ password: given }) => send(token, given)}
          onDone={() => {
            isDone.value = true;
          }}
          afterDone={() => ({ password: '' })}
        />
      )}
      <p class="aside way">{children}</p>
    </OutsidePage>
  );
}

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
