import { api } from '../../api/api.js';
import { SelectField, TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { optionalText } from '../../forms/values.js';
import { announce } from '../../parts/alerts.js';
import { route } from '../../shell/router.js';
import { preferencesOf, useNegativeChoices } from './preferences.js';

export const pathOfUser = (reference: string): string => `/users/${encodeURIComponent(reference)}`;

/** Creates a user, and goes to it. */
export function NewUser() {
  const form = useForm({
    name: 'create a user',
    initial: { name: '', reference: '', preferences: '' },
    send: ({ name, reference, preferences }, idempotencyKey) =>
      api.post('/account/user', {
        idempotencyKey,
        body: { name, reference: optionalText(reference) ?? null, preferences: preferencesOf(preferences) },
      }),
    onDone({ data: { reference } }, { name }) {
      announce(`Created the user ${name}`);
      route(pathOfUser(reference));
    },
  });
  return (
    <FormView form={form} action="Create the user">
      <TextField form={form} name="name" label="Name" isRequired />
      <TextField
        form={form}
        name="reference"
        label="Reference"
        hint="What your own system calls the user. Empty: the ledger makes one up."
      />
      <SelectField form={form} name="preferences" label="Negative balance" choices={useNegativeChoices()} />
    </FormView>
  );
}
