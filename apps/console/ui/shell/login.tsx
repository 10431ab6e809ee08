import { useSignal } from '@preact/signals';
import { LedgerError } from '../api/errors.js';
import { FORGOT_PATH, logIn, session } from '../api/session.js';
import { EMAIL, FACTOR_CODE, PASSWORD } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { Dialog } from '../parts/dialog.js';
import { OutsidePage } from './outside-page.js';

function LoginForm() {
  /** Of who has a second factor, once the password was right. */
  const asksCode = useSignal(false);
  return (
    <>
      <Form
        name="log in"
        isStored={false}
        action="Log in"
        fields={{
          email: { ...EMAIL, value: session.peek()?.operator.email ?? '' },
          password: PASSWORD,
          code: asksCode.value ? FACTOR_CODE : {},
        }}
        send={(given) =>
          logIn(given).catch((error) => {
            if (error instanceof LedgerError && error.code === 'login-code-needed') asksCode.value = true;
            throw error;
          })
        }
      />
      <p class="way">
        <a href={FORGOT_PATH}>Forgot password?</a>
      </p>
    </>
  );
}

/** In place of every page, while the browser has no session. The address stays, so the log-in leads back to it. */
export function LoginPage() {
  return (
    <OutsidePage title="Log in">
      <p>Use the e-mail address and password of your account.</p>
      <LoginForm />
    </OutsidePage>
  );
}

/** Above a page whose session has ended: the page and its forms stay as they are. */
export function LoginDialog() {
  return (
    <Dialog title="Your session has ended">
      <p>Log in to continue where you were. A browser has one session: logging in to another account ends it, too.</p>
      <LoginForm />
    </Dialog>
  );
}
