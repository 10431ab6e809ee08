import { api, type Schemas } from '../../api/api.js';
import { type ActionProps, FormDialog } from '../../forms/form.js';
import { choiceOf, preferencesOf, useNegativeChoices } from './preferences.js';

type Meta = Readonly<Record<string, string>>;

const textOf = (meta: Meta): string =>
  Object.entries(meta)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n');

/** A line without a colon is a key without a text. */
function metaOf(text: string): Meta {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [key = '', ...rest] = line.split(':');
      return [key.trim(), rest.join(':').trim()];
    }),
  );
}

/** The name, the preferences and the custom fields of a user. */
export function EditUser({ of: user, ...props }: ActionProps & { readonly of: Schemas['User'] }) {
  const { id, reference, name, preferences, meta } = user;
  return (
    <FormDialog
      {...props}
      title={`Edit ${reference}`}
      name={`edit the user ${id}`}
      action="Save"
      fields={{
        name: { label: 'Name', value: name, isRequired: true },
        preferences: { label: 'Negative balance', value: choiceOf(preferences), choices: useNegativeChoices() },
        meta: {
          label: 'Custom fields',
          hint: 'One per line, like “favourite_team: Rovers”. Fields that you leave out stay as they are.',
          value: textOf(meta ?? {}),
          type: 'lines',
        },
        // Among the values, so that another attempt is the same request when the page shows the change already.
        before: { value: JSON.stringify(preferences) },
      }}
      send={({ name: newName, preferences: choice, meta: text, before }, idempotencyKey) => {
        const earlier: Schemas['User']['preferences'] = JSON.parse(before);
        const isChanged = choice !== choiceOf(earlier);
        return api.patch('/account/user/{userId}', {
          idempotencyKey,
          params: { path: { userId: id } },
          body: {
            name: newName,
            meta: metaOf(text),
            ...(isChanged && { preferences: preferencesOf(choice, earlier) }),
          },
        });
      }}
      done="Saved"
    />
  );
}
