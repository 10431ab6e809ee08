import { api } from '../../api/api.js';
import { TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { Section } from '../../parts/section.js';

const EMPTY = { password: '', new_password: '', password_confirmation: '' };

export function Password({ onDone }: { readonly onDone: () => void }) {
  const form = useForm({
    name: 'change the password',
    hasNoKey: true,
    initial: EMPTY,
    send: (body) => api.post('/auth/account/reset-password', { body }),
    onDone() {
      announce('The password is changed. Every other session has ended.');
      onDone();
    },
    afterDone: () => EMPTY,
  });
  return (
    <Section title="Password">
      <FormView form={form} action="Change the password">
        <TextField
          form={form}
          name="password"
          label="Current password"
          type="password"
          autoComplete="current-password"
          isRequired
        />
        <TextField
          form={form}
          name="new_password"
          label="New password"
          hint="Every other session of the account ends."
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
    </Section>
  );
}
