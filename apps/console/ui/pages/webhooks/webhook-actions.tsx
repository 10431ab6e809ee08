import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../../api/api.js';
import { PasswordIfAsked, TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { formatCount } from '../../parts/amount.js';
import { Confirm } from '../../parts/confirm.js';
import { Dialog } from '../../parts/dialog.js';
import { route } from '../../shell/router.js';
import { EditWebhook } from './webhook-form.js';
import { WebhookSecret } from './webhook-state.js';

type Endpoint = Schemas['WebhookEndpoint'];

interface ActionProps {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const resultText = ({ data: { status, error, duration_ms } }: { readonly data: Schemas['WebhookTest'] }): string =>
  error === null
    ? `The endpoint took the test: status ${status} after ${formatCount(duration_ms)} ms`
    : `The endpoint did not take the test: ${error}${status === null ? '' : `, status ${status}`}`;

function Test({ endpoint: { id, url }, onClose, onDone }: ActionProps) {
  return (
    <Confirm
      title={`Test the webhook ${id}`}
      name={`test the webhook ${id}`}
      action="Send a ping"
      send={(idempotencyKey) => api.post('/webhook-endpoints/{id}/test', { idempotencyKey, params: { path: { id } } })}
      done={resultText}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        A signed message of the type <code>ping</code> goes to <bdi>{url}</bdi>. The answer may take 15 seconds.
      </p>
    </Confirm>
  );
}

function Enable({ endpoint: { id }, onClose, onDone }: ActionProps) {
  return (
    <Confirm
      title={`Enable the webhook ${id}`}
      name={`enable the webhook ${id}`}
      action="Enable the webhook"
      send={(idempotencyKey) =>
        api.post('/webhook-endpoints/{id}/enable', { idempotencyKey, params: { path: { id } } })
      }
      done="The webhook goes on where it ended"
      onDone={onDone}
      onClose={onClose}
    >
      <p>A ping goes first. When the endpoint takes it, the events that wait follow at once.</p>
    </Confirm>
  );
}

function Disable({ endpoint: { id, url }, onClose, onDone }: ActionProps) {
  return (
    <Confirm
      title={`Disable the webhook ${id}`}
      name={`disable the webhook ${id}`}
      action="Disable the webhook"
      send={(idempotencyKey) =>
        api.post('/webhook-endpoints/{id}/disable', { idempotencyKey, params: { path: { id } } })
      }
      done="The webhook is disabled"
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        Nothing goes to <bdi>{url}</bdi> until you enable it. No event is lost: they wait, and follow then in their
        order.
      </p>
    </Confirm>
  );
}

function Remove({ endpoint: { id, url }, onClose }: ActionProps) {
  return (
    <Confirm
      title={`Delete the webhook ${id}`}
      name={`delete the webhook ${id}`}
      action="Delete the webhook"
      send={(idempotencyKey) => api.delete('/webhook-endpoints/{id}', { idempotencyKey, params: { path: { id } } })}
      done="The webhook is deleted"
      onDone={() => route('/webhooks')}
      onClose={onClose}
    >
      <p>
        Nothing goes to <bdi>{url}</bdi> any more. A request that is under way may still arrive.
      </p>
    </Confirm>
  );
}

function Rotate({ endpoint: { id }, onClose, onDone }: ActionProps) {
  const secret = useSignal<string | undefined>(undefined);
  const form = useForm({
    name: `rotate the secret of ${id}`,
    hasNoKey: true,
    initial: { password: '' },
    send: ({ password }) =>
      api.post('/webhook-endpoints/{id}/rotate-secret', {
        params: { path: { id } },
        body: password === '' ? {} : { password },
      }),
    onDone({ data }) {
      secret.value = data.secret;
      onDone();
    },
  });
  return (
    <Dialog title={`New secret of the webhook ${id}`} onClose={onClose}>
      {secret.value !== undefined ? (
        <WebhookSecret secret={secret.value} onClose={onClose} />
      ) : (
        <FormView form={form} action="Make a new secret">
          <p>For 24 hours requests are signed with the new secret and with the one before. Then the old one is gone.</p>
          <PasswordIfAsked form={form} />
        </FormView>
      )}
    </Dialog>
  );
}

/** The place after an event by its number; null: before the first event. */
async function placeAfter(number: string): Promise<string | null> {
  const digits = number.replace(/\D/g, '');
  if (Number(digits) === 0) return null;
  const { data } = await api.get('/events/{seq}', { params: { path: { seq: Number(digits) } } });
  return data.cursor;
}

function Replay({ endpoint: { id }, onClose, onDone }: ActionProps) {
  const form = useForm({
    name: `replay the webhook ${id}`,
    initial: { after: '' },
    send: async ({ after }, idempotencyKey) =>
      api.post('/webhook-endpoints/{id}/replay', {
        idempotencyKey,
        params: { path: { id } },
        body: { after: await placeAfter(after) },
      }),
    onDone() {
      announce('The events are sent again');
      onDone();
      onClose();
    },
  });
  return (
    <Dialog title={`Replay the webhook ${id}`} onClose={onClose}>
      <FormView form={form} action="Replay" decides>
        <TextField
          form={form}
          name="after"
          label="After the event with the number"
          hint="Everything after it is sent, again or for the first time. Empty: from the first event on."
          inputMode="numeric"
        />
      </FormView>
    </Dialog>
  );
}

const ACTIONS = {
  test: { text: 'Test', Opened: Test },
  enable: { text: 'Enable', Opened: Enable },
  edit: { text: 'Edit', Opened: EditWebhook },
  rotate: { text: 'Rotate the secret', Opened: Rotate },
  replay: { text: 'Replay', Opened: Replay },
  disable: { text: 'Disable', Opened: Disable },
  delete: { text: 'Delete', Opened: Remove },
} as const;

/** Which buttons have no use in a state. */
const UNFIT: Record<Endpoint['state'], readonly string[]> = {
  active: ['enable'],
  failing: [],
  disabled: ['disable'],
};

export interface WebhookActionsProps {
  readonly endpoint: Endpoint;
  readonly onChange: () => void;
}

/** The buttons of an endpoint, and the dialog that one of them has opened. */
export function WebhookActions({ endpoint, onChange }: WebhookActionsProps) {
  const open = useSignal<keyof typeof ACTIONS | undefined>(undefined);
  const Opened = open.value && ACTIONS[open.value].Opened;
  const names = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];
  return (
    <div class="actions">
      {names
        .filter((name) => !UNFIT[endpoint.state].includes(name))
        .map((name) => (
          <button
            key={name}
            type="button"
            onClick={() => {
              open.value = name;
            }}
          >
            {ACTIONS[name].text}
          </button>
        ))}
      {Opened !== undefined && (
        <Opened
          endpoint={endpoint}
          onDone={onChange}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
    </div>
  );
}
