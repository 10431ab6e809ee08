import type { Schemas } from '../../api/api.js';

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
