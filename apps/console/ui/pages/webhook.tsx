import { useSignal } from '@preact/signals';
import type { Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { formatCount } from '../parts/amount.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Facts } from '../parts/named.js';
import { usePoll } from '../parts/poll.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { Attempts } from './webhooks/attempts.js';
import { WebhookActions } from './webhooks/webhook-actions.js';
import { deliveryText } from './webhooks/webhook-form.js';
import { WebhookState } from './webhooks/webhook-state.js';

type Endpoint = Schemas['WebhookEndpoint'];

const NEWER_MS = 2_000;

const EndpointFacts = ({ of: endpoint }: { readonly of: Endpoint }) => (
  <Facts
    of={{
      State: <WebhookState endpoint={endpoint} />,
      URL: <bdi>{endpoint.url}</bdi>,
      Description: <bdi>{endpoint.description ?? 'none'}</bdi>,
      Events: <code>{endpoint.types.join(', ')}</code>,
      Delivery: deliveryText(endpoint.mode),
      'Waiting events': endpoint.behind === 0 ? 'none' : formatCount(endpoint.behind),
      'Failing since': endpoint.failing_since && <Time at={endpoint.failing_since} />,
      'Old secret valid until': endpoint.old_secret_until && <Time at={endpoint.old_secret_until} />,
      Created: <Time at={endpoint.created_at} />,
    }}
  />
);

export function WebhookPage({ params: { id = '' } }: PageProps) {
  const endpoint = useResource(
    ({ get }) => get('/webhook-endpoints/{id}', { params: { path: { id: id as unknown as number } } }),
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
        {endpoint.body !== undefined && <WebhookActions of={endpoint.body.data} onDone={onChange} />}
      </Heading>
      <AsOf of={endpoint} />
      <Loaded of={endpoint}>
        {({ data }) => (
          <>
            <EndpointFacts of={data} />
            <Attempts id={data.id} changes={changes.value} />
          </>
        )}
      </Loaded>
    </>
  );
}
