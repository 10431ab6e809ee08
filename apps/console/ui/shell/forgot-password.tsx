import { useSignal } from '@preact/signals';
import { askForCode, FORGOT_PATH, recover, session } from '../api/session.js';
import { TextField } from '../forms/fields.js';
import { FormView } from '../forms/form-view.js';
import { useForm } from '../forms/use-form.js';
import { OutsidePage } from './outside-page.js';

function AskForm({ onDone }: { readonly onDone: (email: string) => void }) {
  const form = useForm({
    name: 'ask for a reset code',
    hasNoKey: true,
    initial: { email: session.peek()?.account.email ?? '' },
    send: ({ email }) => askForCode(email),
    onDone: (_answer, { email }) => onDone(email),
  });
  return (
    <FormView form={form} action="Send the code">
      <TextField form={form} name="email" label="E-mail" type="email" autoComplete="username" isRequired />
    </FormView>
  );
}

function ResetForm({ email, onDone }: { readonly email: string; readonly onDone: () => void }) {
  const form = useForm({
    name: 'reset the password',
    hasNoKey: true,
    initial: { email, token: '', password: '', password_confirmation: '' },
    send: recover,
    onDone,
  });
  return (
    <FormView form={form} action="Set the new password">
      <p>
        A new password ends <strong>all access</strong> to the account: every session and API key ends, and every
        webhook is disabled.
      </p>
      <TextField form={form} name="email" label="E-mail" type="email" autoComplete="username" isRequired />
      <TextField
        form={form}
        name="token"
        label="Code"
        hint="8 digits, from the mail."
        inputMode="numeric"
        autoComplete="one-time-code"
        isRequired
      />
      <TextField
        form={form}
        name="password"
        label="New password"
        hint="8 characters or more."
        type="password"
        autoComplete="new-password"
        isRequired
      />
      <TextField
        form={form}
        name="password_confirmation"
        label="New password again"
        type="password"
        autoComplete="new-password"
        isRequired
      />
    </FormView>
  );
}

const LogIn = ({ text }: { readonly text: string }) => (
  <p class="way">
    <a href="/">{text}</a>
  </p>
);

const Done = () => (
  <OutsidePage title="Your password is changed" isNext>
    <p role="status">All earlier access has ended. Create new API keys and enable webhooks again after the log-in.</p>
    <LogIn text="Log in" />
  </OutsidePage>
);

/** Asks for a code, and then takes it. What it says is the same with an account and without. */
export function ForgotPasswordPage() {
  const sentTo = useSignal<string | undefined>(undefined);
  const isDone = useSignal(false);
  if (isDone.value) return <Done key="done" />;
  if (sentTo.value === undefined) {
    return (
      <OutsidePage title="Forgot password">
        <p>Enter the e-mail address of your account. A mail with a code comes to it.</p>
        <AskForm
          onDone={(email) => {
            sentTo.value = email;
          }}
        />
        <LogIn text="Back to the log-in" />
      </OutsidePage>
    );
  }
  return (
    <OutsidePage key="code" title="Enter the code" isNext>
      <p role="status">
        If an account has the address <bdi>{sentTo.value}</bdi>, a code is on its way. It is valid for 1 hour.
      </p>
      <ResetForm
        email={sentTo.value}
        onDone={() => {
          isDone.value = true;
        }}
      />
      <p class="way">
        No mail? Look into the spam folder, or <a href={FORGOT_PATH}>ask for another code</a>: it ends the one before.
      </p>
    </OutsidePage>
  );
}

/** Takes the code: the page that the mail names. */
export function ResetPasswordPage() {
  const isDone = useSignal(false);
  if (isDone.value) return <Done key="done" />;
  return (
    <OutsidePage title="Set a new password">
      <ResetForm
        email={session.peek()?.account.email ?? ''}
        onDone={() => {
          isDone.value = true;
        }}
      />
      <p class="way">
        No code? <a href={FORGOT_PATH}>Ask for one</a>
      </p>
    </OutsidePage>
  );
}
