import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { formatCount } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { PagedList } from '../../parts/paged-list.js';
import { usePoll } from '../../parts/poll.js';
import { Section } from '../../parts/section.js';

type Attempt = Schemas['WebhookAttempt'];

const ERRORS: Record<NonNullable<Attempt['error']>, string> = {
  timeout: 'no answer in time',
  'address-refused': 'an address that requests must not go to',
  'unknown-host': 'the name has no address',
  'not-reachable': 'not reachable',
  tls: 'no trusted certificate',
  'broken-answer': 'no HTTP answer',
  status: 'refused',
};
const NEWER_MS = 2_000;

function AttemptTable({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <DataTable
      caption="Attempts, the newest first"
      hidesCaption
      columns={[
        { title: 'Time', time: ({ at }) => at },
        {
          title: 'Event',
          text: ({ seq }) => (seq === null ? 'test' : <a href={`/events/${seq}`}>{formatCount(seq)}</a>),
        },
        {
          title: 'Result',
          text: ({ error }) =>
            error === null ? <span class="tag good">taken</span> : <span class="tag bad">{ERRORS[error]}</span>,
        },
        { title: 'Status', text: ({ status }) => status ?? 'none' },
        { title: 'Milliseconds', count: ({ duration_ms }) => duration_ms },
      ]}
      items={attempts}
      keyOf={({ id }) => id}
      empty={<p>Nothing was sent yet. Send a ping with “Test”, or wait for an event of its types.</p>}
    />
  );
}

/** The requests to an endpoint, of 30 days. */
export function Attempts({ id, changes }: { readonly id: number; readonly changes: number }) {
  const cursor = useSignal('');
  const attempts = useResource(
    () =>
      api.get('/webhook-endpoints/{id}/attempts', {
        params: { path: { id }, query: { per_page: 20, cursor: cursor.value } },
      }),
    [id, cursor.value, changes],
  );
  usePoll(cursor.value === '', attempts.reload, NEWER_MS);
  return (
    <Section title="Attempts" of={attempts}>
      <PagedList of={attempts} cursor={cursor}>
        {(items) => <AttemptTable attempts={items} />}
      </PagedList>
    </Section>
  );
}
