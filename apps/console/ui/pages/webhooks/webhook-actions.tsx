import { api, type Schemas } from '../../api/api.js';
import { PASSWORD_IF_ASKED } from '../../forms/fields.js';
import { type ActionProps, Confirm, FormDialog } from '../../forms/form.js';
import { OnceDialog } from '../../forms/once-dialog.js';
import { Actions } from '../../parts/actions.js';
import { formatCount } from '../../parts/amount.js';
import { route } from '../../shell/router.js';
import { ERRORS } from './attempts.js';
import { EditWebhook, SECRET } from './webhook-form.js';

interface Props extends ActionProps {
  readonly of: Schemas['WebhookEndpoint'];
}

const resultText = ({ data: { status, error, duration_ms } }: { readonly data: Schemas['WebhookTest'] }): string =>
  error === null
    ? `Test delivered: status ${status} in ${formatCount(duration_ms)} ms`
    : `Test failed: ${ERRORS[error]}${status === null ? '' : `, status ${status}`}`;

const Test = ({ of: { id, url }, ...props }: Props) => (
  <Confirm
    {...props}
    title={`Test the webhook ${id}`}
    action="Send a ping"
    send={(idempotencyKey) => api.post('/webhook-endpoints/{id}/test', { idempotencyKey, params: { path: { id } } })}
    done={resultText}
  >
    <p>
      A signed message of the type <code>ping</code> goes to <bdi>{url}</bdi>. The answer may take 15 seconds.
    </p>
  </Confirm>
);

const Enable = ({ of: { id }, ...props }: Props) => (
  <Confirm
    {...props}
    title={`Enable the webhook ${id}`}
    action="Enable the webhook"
    send={(idempotencyKey) => api.post('/webhook-endpoints/{id}/enable', { idempotencyKey, params: { path: { id } } })}
    done="The webhook is enabled"
  >
    <p>A ping is sent first. If the endpoint accepts it, the waiting events follow at once.</p>
  </Confirm>
);

const Disable = ({ of: { id, url }, ...props }: Props) => (
  <Confirm
    {...props}
    title={`Disable the webhook ${id}`}
    action="Disable the webhook"
    send={(idempotencyKey) => api.post('/webhook-endpoints/{id}/disable', { idempotencyKey, params: { path: { id } } })}
    done="The webhook is disabled"
  >
    <p>
      Nothing is sent to <bdi>{url}</bdi> until you enable it. No event is lost: they wait, and follow in order.
    </p>
  </Confirm>
);

const Remove = ({ of: { id, url }, onClose }: Props) => (
  <Confirm
    title={`Delete the webhook ${id}`}
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

const Rotate = ({ of: { id }, onClose, onDone }: Props) => (
  <OnceDialog
    {...SECRET}
    title={`New secret for webhook ${id}`}
    name={`rotate the secret of ${id}`}
    action="Create a new secret"
    fields={{ password: PASSWORD_IF_ASKED }}
    send={({ password }) =>
      api.post('/webhook-endpoints/{id}/rotate-secret', {
        params: { path: { id } },
        body: password === '' ? {} : { password },
      })
    }
    onDone={() => onDone?.()}
    onClose={onClose}
  >
    <p>For 24 hours, requests are signed with the old and the new secret. After that, only with the new one.</p>
  </OnceDialog>
);

/** The place after an event by its number; null: before the first event. */
async function placeAfter(number: string): Promise<string | null> {
  const digits = number.replace(/\D/g, '');
  if (Number(digits) === 0) return null;
  const { data } = await api.get('/events/{seq}', { params: { path: { seq: Number(digits) } } });
  return data.cursor;
}

const Replay = ({ of: { id }, ...props }: Props) => (
  <FormDialog
    {...props}
    title={`Replay the webhook ${id}`}
    name={`replay the webhook ${id}`}
    action="Replay"
    decides
    fields={{
      after: {
        label: 'After event number',
        hint: 'Sends every later event again. Empty: from the first event.',
        inputMode: 'numeric',
      },
    }}
    send={async ({ after }, idempotencyKey) =>
      api.post('/webhook-endpoints/{id}/replay', {
        idempotencyKey,
        params: { path: { id } },
        body: { after: await placeAfter(after) },
      })
    }
    done="Replay started"
  />
);

const OWNERS = { least: 'owner' } as const;

/** The buttons of an endpoint. */
export function WebhookActions({ of: endpoint, onDone }: Pick<Props, 'of' | 'onDone'>) {
  const { state } = endpoint;
  const opening = (Opened: typeof Test) => (close: () => void) => (
    <Opened of={endpoint} {...(onDone && { onDone })} onClose={close} />
  );
  return (
    <Actions
      of={{
        test: { ...OWNERS, text: 'Test', dialog: opening(Test) },
        enable: { ...OWNERS, text: 'Enable', isHidden: state === 'active', dialog: opening(Enable) },
        edit: { ...OWNERS, text: 'Edit', dialog: opening(EditWebhook) },
        rotate: { ...OWNERS, text: 'Rotate the secret', dialog: opening(Rotate) },
        replay: { ...OWNERS, text: 'Replay', dialog: opening(Replay) },
        disable: { ...OWNERS, text: 'Disable', isHidden: state === 'disabled', dialog: opening(Disable) },
        delete: { ...OWNERS, text: 'Delete', dialog: opening(Remove) },
      }}
    />
  );
}
