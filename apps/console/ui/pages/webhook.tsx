import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { formatCount } from '../parts/amount.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { usePoll } from '../parts/poll.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { Attempts } from './webhooks/attempts.js';
import { WebhookActions } from './webhooks/webhook-actions.js';
import { deliveryText } from './webhooks/webhook-form.js';
import { WebhookState } from './webhooks/webhook-state.js';

type Endpoint = Schemas['WebhookEndpoint'];

const NEWER_MS = 2_000;

function Facts({ endpoint }: { readonly endpoint: Endpoint }) {
  const { url, description, types, mode, behind, failing_since, old_secret_until, created_at } = endpoint;
  return (
    <dl class="facts panel">
      <dt>State</dt>
      <dd>
        <WebhookState endpoint={endpoint} />
      </dd>
      <dt>URL</dt>
      <dd>
        <bdi>{url}</bdi>
      </dd>
      <dt>Description</dt>
      <dd>
        <bdi>{description ?? 'none'}</bdi>
      </dd>
      <dt>Events</dt>
      <dd>
        <code>{types.join(', ')}</code>
      </dd>
      <dt>Delivery</dt>
      <dd>{deliveryText(mode)}</dd>
      <dt>Waiting events</dt>
      <dd>{behind === 0 ? 'none' : formatCount(behind)}</dd>
      {failing_since !== null && (
        <>
          <dt>Failing since</dt>
          <dd>
            <Time at={failing_since} />
          </dd>
        </>
      )}
      {old_secret_until !== null && (
        <>
          <dt>Old secret valid until</dt>
          <dd>
            <Time at={old_secret_until} />
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <Time at={created_at} />
      </dd>
    </dl>
  );
}

function WebhookPage({ params: { id = '' } }: PageProps) {
  const endpoint = useResource(
    () => api.get('/webhook-endpoints/{id}', { params: { path: { id: id as unknown as number } } }),
    [id],
  );
  usePoll(endpoint.body !== undefined, endpoint.reload, NEWER_MS);
  const changes = useSignal(0);
  const onChange = () => {
    changes.value += 1;
    endpoint.reload();
  };
  return (
    <>
      <Heading text={`Webhook ${id}`}>
        {endpoint.body !== undefined && <WebhookActions endpoint={endpoint.body.data} onChange={onChange} />}
      </Heading>
      <AsOf of={endpoint} />
      <Loaded of={endpoint}>
        {({ data }) => (
          <>
            <Facts endpoint={data} />
            <Attempts id={data.id} changes={changes.value} />
          </>
        )}
      </Loaded>
    </>
  );
}

export const webhook: Page = { path: '/webhooks/:id', title: 'Webhook', view: WebhookPage };
