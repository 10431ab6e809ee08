import { api } from '../../api/api.js';
import { NEW_PASSWORD, PASSWORD } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { announce } from '../../parts/alerts.js';
import { Section } from '../../parts/section.js';

export const Password = ({ onDone }: { readonly onDone: () => void }) => (
  <Section title="Password">
    <Form
      name="change the password"
      hasNoKey
      action="Change the password"
      fields={{
        password: { ...PASSWORD, label: 'Current password' },
        new_password: { ...NEW_PASSWORD, hint: 'Every other session of yours ends.' },
        password_confirmation: { ...NEW_PASSWORD, label: 'New password again' },
      }}
      send={(body) => api.post('/auth/account/reset-password', { body })}
      onDone={() => {
        announce('The password is changed. Every other session has ended.');
        onDone();
      }}
      afterDone={() => ({ password: '', new_password: '', password_confirmation: '' })}
    />
  </Section>
);
