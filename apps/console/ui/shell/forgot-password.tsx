import { useSignal } from '@preact/signals';
import { askForCode, FORGOT_PATH, recover, session } from '../api/session.js';
import { EMAIL, NEW_PASSWORD } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { OutsidePage } from './outside-page.js';

const AskForm = ({ onDone }: { readonly onDone: (email: string) => void }) => (
  <Form
    name="ask for a reset code"
    hasNoKey
    action="Send the code"
    fields={{ email: { ...EMAIL, value: session.peek()?.operator.email ?? '' } }}
    send={({ email }) => askForCode(email)}
    onDone={(_answer, { email }) => onDone(email)}
  />
);

const ResetForm = ({ email, onDone }: { readonly email: string; readonly onDone: () => void }) => (
  <Form
    name="reset the password"
    hasNoKey
    action="Set the new password"
    fields={{
      email: { ...EMAIL, value: email },
      token: {
        label: 'Code',
        hint: '8 digits, from the mail.',
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
        isRequired: true,
      },
      password: { ...NEW_PASSWORD, hint: '8 characters or more.' },
      password_confirmation: { ...NEW_PASSWORD, label: 'New password again' },
    }}
    send={recover}
    onDone={onDone}
  >
    <p>
      A new password ends <strong>all access</strong> to the account: every session and API key ends, and every webhook
      is disabled.
    </p>
  </Form>
);

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
        If an account has the address <bdi>{sentTo.value}</bdi>, a code is on its way. It is valid for 10 minutes.
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
        email={session.peek()?.operator.email ?? ''}
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
