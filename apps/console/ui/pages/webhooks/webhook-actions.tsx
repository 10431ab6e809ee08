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
import { ERRORS } from './attempts.js';
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
    ? `Test delivered: status ${status} in ${formatCount(duration_ms)} ms`
    : `Test failed: ${ERRORS[error]}${status === null ? '' : `, status ${status}`}`;

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
      done="The webhook is enabled"
      onDone={onDone}
      onClose={onClose}
    >
      <p>A ping is sent first. If the endpoint accepts it, the waiting events follow at once.</p>
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
        Nothing is sent to <bdi>{url}</bdi> until you enable it. No event is lost: they wait, and follow in order.
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
        Nothing is sent to <bdi>{url}</bdi> any more. A request in progress may still arrive.
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
    <Dialog title={`New secret for webhook ${id}`} onClose={onClose}>
      {secret.value !== undefined ? (
        <WebhookSecret secret={secret.value} onClose={onClose} />
      ) : (
        <FormView form={form} action="Create a new secret">
          <p>For 24 hours, requests are signed with the old and the new secret. After that, only with the new one.</p>
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
      announce('Replay started');
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
          label="After event number"
          hint="Sends every later event again. Empty: from the first event."
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
