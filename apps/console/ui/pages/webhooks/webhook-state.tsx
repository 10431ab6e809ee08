import type { Schemas } from '../../api/api.js';
import { Copyable } from '../../parts/copyable.js';

type Endpoint = Schemas['WebhookEndpoint'];

const STYLES: Record<Endpoint['state'], string> = { active: 'good', failing: 'warn', disabled: 'bad' };
const REASONS: Record<NonNullable<Endpoint['disabled_reason']>, string> = {
  gone: 'it answered 410 Gone',
  failing: 'it failed for 5 days',
  requested: 'by this account',
  'access-ended': 'all access was ended',
};

/** Whether an endpoint takes what is sent. */
export function WebhookState({ endpoint: { state, disabled_reason } }: { readonly endpoint: Endpoint }) {
  return (
    <span class={`tag ${STYLES[state]}`}>
      {state}
      {disabled_reason !== null && `: ${REASONS[disabled_reason]}`}
    </span>
  );
}

/** The secret of an endpoint, which the API tells only once. */
export function WebhookSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <>
      <p>
        <strong>The secret is shown only once.</strong> Your server checks the signatures of requests with it.
      </p>
      <Copyable label="Secret" text={secret} />
      <button type="button" class="main" onClick={onClose}>
        I have stored it
      </button>
    </>
  );
}
