import { useSignal } from '@preact/signals';
import { confirmEmail } from '../api/session.js';
import { TextField } from '../forms/fields.js';
import { FormView } from '../forms/form-view.js';
import { useForm } from '../forms/use-form.js';
import { Heading } from './heading.js';

function ConfirmForm({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const form = useForm({
    name: 'confirm the e-mail address',
    hasNoKey: true,
    initial: { password: '' },
    send: ({ password }) => confirmEmail(token, password),
    onDone,
    afterDone: () => ({ password: '' }),
  });
  return (
    <FormView form={form} action="Confirm the address">
      <TextField
        form={form}
        name="password"
        label="Password"
        hint="Of the account that you have registered. If you registered none, close this page."
        type="password"
        autoComplete="current-password"
        isRequired
      />
    </FormView>
  );
}

/** Proves the address of an account to which the link of a mail leads, with a session or without. */
export function ConfirmEmailPage({ token }: { readonly token: string }) {
  const isDone = useSignal(false);
  return (
    <main class="login">
      <p class="brand">Betting Ledger</p>
      <div class="panel">
        <Heading text={isDone.value ? 'Your address is confirmed' : 'Confirm your e-mail address'} />
        {token === '' && <p role="alert">This address has no token. Open the link of the mail as a whole.</p>}
        {token !== '' && !isDone.value && (
          <ConfirmForm
            token={token}
            onDone={() => {
              isDone.value = true;
            }}
          />
        )}
        {isDone.value && (
          <p role="status">
            It belongs to your account. <a href="/">Go to the console</a>
          </p>
        )}
      </div>
    </main>
  );
}
