import { useSignal } from '@preact/signals';
import { confirmEmail, FORGOT_PATH } from '../api/session.js';
import { PASSWORD } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { OutsidePage } from './outside-page.js';

const ConfirmForm = ({ token, onDone }: { readonly token: string; readonly onDone: () => void }) => (
  <Form
    name="confirm the e-mail address"
    hasNoKey
    action="Confirm"
    fields={{
      password: {
        ...PASSWORD,
        hint: 'The password of the account that you registered. If you did not register, close this page.',
      },
    }}
    send={({ password }) => confirmEmail(token, password)}
    onDone={onDone}
    afterDone={() => ({ password: '' })}
  />
);

/** Proves the address of an account to which the link of a mail leads, with a session or without. */
export function ConfirmEmailPage({ token }: { readonly token: string }) {
  const isDone = useSignal(false);
  if (isDone.value) {
    return (
      <OutsidePage key="done" title="Your address is confirmed" isNext>
        <p role="status">
          It belongs to your account. <a href="/">Go to the console</a>
        </p>
      </OutsidePage>
    );
  }
  return (
    <OutsidePage title="Confirm your e-mail address">
      {token === '' ? (
        <p role="alert">This address has no token. Open the whole link of the mail.</p>
      ) : (
        <ConfirmForm
          token={token}
          onDone={() => {
            isDone.value = true;
          }}
        />
      )}
      <p class="aside way">
        A link works once, for 24 hours. Is your address confirmed already? <a href="/">Go to the console</a>. Forgot
        your password? <a href={FORGOT_PATH}>Set a new one</a>: that confirms the address, too.
      </p>
    </OutsidePage>
  );
}
