import { api } from '../../api/api.js';
import { Form } from '../../forms/form.js';
import { textOrNull } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { route } from '../../shell/router.js';
import { preferencesOf, useNegativeChoices } from './preferences.js';

export const pathOfUser = (reference: string): string => `/users/${encodeURIComponent(reference)}`;

/** Creates a user, and goes to it. */
export function NewUser() {
  return (
    <Form
      name="create a user"
      action="Create the user"
      fields={{
        name: { label: 'Name', isRequired: true },
        reference: {
          label: 'Reference',
          hint: 'What your own system calls the user. Empty: the ledger makes one up.',
        },
        preferences: { label: 'Negative balance', choices: useNegativeChoices() },
      }}
      send={({ name, reference, preferences }, idempotencyKey) =>
        api.post('/account/user', {
          idempotencyKey,
          body: { name, reference: textOrNull(reference), preferences: preferencesOf(preferences) },
        })
      }
      onDone={({ data: { reference } }, { name }) => {
        announce(`Created the user ${name}`);
        route(pathOfUser(reference));
      }}
    />
  );
}
