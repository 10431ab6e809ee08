import { useSignal } from '@preact/signals';
import { acceptInvitation } from '../api/session.js';
import { NEW_PASSWORD } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { OutsidePage } from './outside-page.js';

const AcceptForm = ({ token, onDone }: { readonly token: string; readonly onDone: () => void }) => (
  <Form
    name="accept the invitation"
    hasNoKey
    action="Accept the invitation"
    fields={{ password: { ...NEW_PASSWORD, label: 'Choose a password', hint: '8 characters or more.' } }}
    send={({ password }) => acceptInvitation(token, password)}
    onDone={onDone}
    afterDone={() => ({ password: '' })}
  />
);

/** Lets an invited person choose a password and join the account. It needs no session. */
export function AcceptInvitationPage({ token }: { readonly token: string }) {
  const isDone = useSignal(false);
  if (isDone.value) {
    return (
      <OutsidePage key="done" title="You are in" isNext>
        <p role="status">
          Your e-mail address and this password open the console. <a href="/">Log in</a>
        </p>
      </OutsidePage>
    );
  }
  return (
    <OutsidePage title="Accept the invitation">
      {token === '' ? (
        <p role="alert">This address has no token. Open the whole link of the mail.</p>
      ) : (
        <AcceptForm
          token={token}
          onDone={() => {
            isDone.value = true;
          }}
        />
      )}
      <p class="aside way">
        A link works once, for 7 days. If it does not work any more, ask who invited you for another one.
      </p>
    </OutsidePage>
  );
}
