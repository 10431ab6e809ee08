import { logIn, session } from '../api/session.js';
import { TextField } from '../forms/fields.js';
import { FormView } from '../forms/form-view.js';
import { useForm } from '../forms/use-form.js';
import { Dialog } from '../parts/dialog.js';
import { Heading } from './heading.js';

function LoginForm() {
  const form = useForm({
    name: 'log in',
    isStored: false,
    initial: { email: session.peek()?.account.email ?? '', password: '' },
    send: ({ email, password }) => logIn(email, password),
    onDone: () => undefined,
  });
  return (
    <FormView form={form} action="Log in">
      <TextField form={form} name="email" label="E-mail" type="email" autoComplete="username" isRequired />
      <TextField
        form={form}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        isRequired
      />
    </FormView>
  );
}

/** In place of every page, while the browser has no session. The address stays, so the log-in leads back to it. */
export function LoginPage() {
  return (
    <main class="login">
      <p class="brand">Betting Ledger</p>
      <div class="panel">
        <Heading text="Log in" />
        <p>With the e-mail address and the password of your account.</p>
        <LoginForm />
      </div>
    </main>
  );
}

/** Above a page whose session has ended: the page and its forms stay as they are. */
export function LoginDialog() {
  return (
    <Dialog title="Your session has ended">
      <p>Log in to go on where you are. A browser has one session: a log-in as another account has ended it, too.</p>
      <LoginForm />
    </Dialog>
  );
}
