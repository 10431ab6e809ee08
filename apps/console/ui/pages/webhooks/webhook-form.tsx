import { api, type Schemas } from '../../api/api.js';
import { PasswordIfAsked, SelectField, TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { type Form, useForm } from '../../forms/use-form.js';
import { optionalText } from '../../forms/values.js';
import { announce } from '../../parts/alerts.js';
import { Dialog } from '../../parts/dialog.js';

type Endpoint = Schemas['WebhookEndpoint'];
type NewEndpoint = Schemas['NewWebhookEndpoint'];

const MODES = [
  ['ordered', 'In order: one event at a time'],
  ['keyed', 'In order per wager and user: eight at a time'],
  ['doorbell', 'Notification only: your server reads the events itself'],
] as const;

/** How requests come. */
export const deliveryText = (mode: Endpoint['mode']): string => MODES.find(([name]) => name === mode)?.[1] ?? mode;

interface Target {
  readonly [name: string]: string;
  readonly url: string;
  readonly types: string;
  readonly mode: string;
  readonly description: string;
  readonly password: string;
}

const bodyOf = ({ url, types, mode, description, password }: Target) => ({
  url: url.trim(),
  types: types
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== ''),
  ...(mode !== '' && { mode: mode as Endpoint['mode'] }),
  description: optionalText(description) ?? null,
  ...(password !== '' && { password }),
});

function Fields({ form, modes }: { form: Form<Target>; modes: readonly (readonly [string, string])[] }) {
  return (
    <>
      <TextField
        form={form}
        name="url"
        label="URL"
        hint="Where your server takes events, over HTTPS."
        type="url"
        isRequired
      />
      <TextField
        form={form}
        name="types"
        label="Events"
        hint="Event types or families with commas between them, like “wager.*, transaction.created”; “*” for all."
        isRequired
      />
      <SelectField form={form} name="mode" label="Delivery" choices={modes} />
      <TextField form={form} name="description" label="Description" hint="Optional. Shown in the console." />
      <PasswordIfAsked form={form} />
    </>
  );
}

/** Makes an endpoint. Its answer has the secret, so it has no Idempotency-Key. */
export function NewWebhook({ onMade }: { readonly onMade: (made: NewEndpoint) => void }) {
  const form = useForm<Target, { readonly data: NewEndpoint }>({
    name: 'create a webhook',
    hasNoKey: true,
    initial: { url: 'https://', types: 'wager.*', mode: '', description: '', password: '' },
    send: (target) => api.post('/webhook-endpoints', { body: bodyOf(target) }),
    onDone: ({ data }) => onMade(data),
  });
  return (
    <FormView form={form} action="Create the webhook">
      <Fields form={form} modes={[['', 'Default for these events'], ...MODES]} />
    </FormView>
  );
}

export interface EditWebhookProps {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function EditWebhook({ endpoint, onClose, onDone }: EditWebhookProps) {
  const { id, url, types, mode, description } = endpoint;
  const form = useForm<Target, unknown>({
    name: `edit the webhook ${id}`,
    isStored: false,
    initial: { url, types: types.join(', '), mode, description: description ?? '', password: '' },
    send: (target, idempotencyKey) =>
      api.patch('/webhook-endpoints/{id}', { idempotencyKey, params: { path: { id } }, body: bodyOf(target) }),
    onDone() {
      announce('Saved');
      onDone();
      onClose();
    },
  });
  return (
    <Dialog title={`Edit the webhook ${id}`} onClose={onClose}>
      <FormView form={form} action="Save">
        <Fields form={form} modes={MODES} />
      </FormView>
    </Dialog>
  );
}
