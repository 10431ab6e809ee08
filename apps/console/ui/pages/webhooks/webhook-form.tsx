import { api, type Schemas } from '../../api/api.js';
import { PASSWORD_IF_ASKED } from '../../forms/fields.js';
import { type ActionProps, FormDialog } from '../../forms/form.js';
import { OnceDialog } from '../../forms/once-dialog.js';
import type { Choices, ValuesOf } from '../../forms/use-form.js';
import { textOrNull } from '../../forms/use-form.js';
import { route } from '../../shell/router.js';

type Endpoint = Schemas['WebhookEndpoint'];

const MODES = [
  ['ordered', 'In order: one event at a time'],
  ['keyed', 'In order per wager and user: eight at a time'],
  ['doorbell', 'Notification only: your server reads the events itself'],
] as const;

/** How requests come. */
export const deliveryText = (mode: Endpoint['mode']): string => MODES.find(([name]) => name === mode)?.[1] ?? mode;

const fieldsOf = (modes: Choices, { url, types, mode, description }: Partial<Endpoint>) =>
  ({
    url: {
      label: 'URL',
      hint: 'Where your server takes events, over HTTPS.',
      type: 'url',
      value: url ?? 'https://',
      isRequired: true,
    },
    types: {
      label: 'Events',
      hint: 'Event types or families with commas between them, like “wager.*, transaction.created”; “*” for all.',
      value: types?.join(', ') ?? 'wager.*',
      isRequired: true,
    },
    mode: { label: 'Delivery', choices: modes, value: mode ?? '' },
    description: { label: 'Description', hint: 'Optional. Shown in the console.', value: description ?? '' },
    password: PASSWORD_IF_ASKED,
  }) as const;

const bodyOf = ({ url, types, mode, description, password }: ValuesOf<ReturnType<typeof fieldsOf>>) => ({
  url: url.trim(),
  types: types
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== ''),
  ...(mode !== '' && { mode: mode as Endpoint['mode'] }),
  description: textOrNull(description),
  ...(password !== '' && { password }),
});

/** Shows the secret of an endpoint, which the API tells only once. */
export const SECRET = {
  told: () => (
    <>
      <strong>The secret is shown only once.</strong> Your server checks the signatures of requests with it.
    </>
  ),
  texts: ({ data }: { readonly data: { readonly secret: string } }) => ({ Secret: data.secret }),
};

/** Makes an endpoint, and then opens its page. */
export const NewWebhook = ({ onClose }: Pick<ActionProps, 'onClose'>) => (
  <OnceDialog
    {...SECRET}
    title="New webhook"
    name="create a webhook"
    action="Create the webhook"
    fields={fieldsOf([['', 'Default for these events'], ...MODES], {})}
    send={(values) => api.post('/webhook-endpoints', { body: bodyOf(values) })}
    onClose={(made) => (made === undefined ? onClose() : route(`/webhooks/${made.data.id}`))}
  />
);

export const EditWebhook = ({ of: endpoint, ...props }: ActionProps & { readonly of: Endpoint }) => (
  <FormDialog
    {...props}
    title={`Edit the webhook ${endpoint.id}`}
    name={`edit the webhook ${endpoint.id}`}
    isStored={false}
    action="Save"
    fields={fieldsOf(MODES, endpoint)}
    send={(values, idempotencyKey) =>
      api.patch('/webhook-endpoints/{id}', {
        idempotencyKey,
        params: { path: { id: endpoint.id } },
        body: bodyOf(values),
      })
    }
    done="Saved"
  />
);
