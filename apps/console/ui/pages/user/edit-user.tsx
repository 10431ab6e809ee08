import { api, type Schemas } from '../../api/api.js';
import { SelectField, TextAreaField, TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { Dialog } from '../../parts/dialog.js';
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

export interface EditUserProps {
  readonly user: Schemas['User'];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The name, the preferences and the custom fields of a user. */
export function EditUser({ user: { id, reference, name, preferences, meta }, onClose, onDone }: EditUserProps) {
  const form = useForm({
    name: `edit the user ${id}`,
    initial: {
      name,
      preferences: choiceOf(preferences),
      meta: textOf(meta ?? {}),
      // Among the values, so that another attempt is the same request when the page shows the change already.
      before: JSON.stringify(preferences),
    },
    send({ name: newName, preferences: choice, meta: text, before }, idempotencyKey) {
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
    },
    onDone() {
      announce('Saved');
      onDone();
      onClose();
    },
  });
  return (
    <Dialog title={`Edit ${reference}`} onClose={onClose}>
      <FormView form={form} action="Save">
        <TextField form={form} name="name" label="Name" isRequired />
        <SelectField form={form} name="preferences" label="Negative balance" choices={useNegativeChoices()} />
        <TextAreaField
          form={form}
          name="meta"
          label="Custom fields"
          hint="One per line, like “favourite_team: Rovers”. Fields that you leave out stay as they are."
        />
      </FormView>
    </Dialog>
  );
}
