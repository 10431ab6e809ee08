import type { Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { Actions } from '../parts/actions.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { usePoll } from '../parts/poll.js';
import { Heading } from '../shell/heading.js';
import { NewWebhook } from './webhooks/webhook-form.js';
import { WebhookState } from './webhooks/webhook-state.js';

type Endpoint = Schemas['WebhookEndpoint'];

const PATH = '/webhooks';
const NEWER_MS = 5_000;

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: 'URL',
    text: ({ id, url }) => (
      <a href={`${PATH}/${id}`}>
        <bdi>{url}</bdi>
      </a>
    ),
  },
  { title: 'Description', text: ({ description }) => <bdi>{description}</bdi> },
  {
    title: 'Events',
    text: ({ types }) => types.map((type, index) => [index > 0 && ', ', <code key={type}>{type}</code>]),
  },
  { title: 'State', text: (endpoint) => <WebhookState endpoint={endpoint} /> },
  { title: 'Waiting events', count: ({ behind }) => behind },
];

export function WebhooksPage() {
  const endpoints = useResource(({ get }) => get('/webhook-endpoints', { params: { query: { per_page: 20 } } }), []);
  usePoll(endpoints.body !== undefined, endpoints.reload, NEWER_MS);
  const create = {
    text: 'New webhook',
    least: 'owner' as const,
    dialog: (close: () => void) => <NewWebhook onClose={close} />,
  };
  return (
    <>
      <Heading text="Webhooks">
        <Actions of={{ create }} />
      </Heading>
      <AsOf of={endpoints} />
      <Loaded of={endpoints}>
        {({ data }) => (
          <DataTable
            caption="Webhooks"
            hidesCaption
            columns={COLUMNS}
            items={data}
            keyOf={({ id }) => id}
            empty={
              <p>
                No webhooks yet. A webhook sends events to your server, signed and in order, and repeats each one until
                your server accepts it.
              </p>
            }
          />
        )}
      </Loaded>
    </>
  );
}
