import type { Schemas } from '../../api/api.js';
import { usePages } from '../../api/resource.js';
import { formatCount } from '../../parts/amount.js';
import type { Column } from '../../parts/data-table.js';
import { PagedTable } from '../../parts/paged-table.js';
import { usePoll } from '../../parts/poll.js';
import { Section } from '../../parts/section.js';

type Attempt = Schemas['WebhookAttempt'];

/** Why an attempt failed. */
export const ERRORS: Record<NonNullable<Attempt['error']>, string> = {
  timeout: 'timed out',
  'address-refused': 'address not allowed',
  'unknown-host': 'host name not found',
  'not-reachable': 'not reachable',
  tls: 'certificate not trusted',
  'broken-answer': 'invalid HTTP response',
  status: 'rejected',
};
const NEWER_MS = 2_000;

const COLUMNS: readonly Column<Attempt>[] = [
  { title: 'Time', time: ({ at }) => at },
  {
    title: 'Event',
    text: ({ seq }) => (seq === null ? 'test' : <a href={`/events/${seq}`}>{formatCount(seq)}</a>),
  },
  {
    title: 'Result',
    text: ({ error }) =>
      error === null ? <span class="tag good">delivered</span> : <span class="tag bad">{ERRORS[error]}</span>,
  },
  { title: 'HTTP status', text: ({ status }) => status ?? 'none' },
  { title: 'Duration (ms)', count: ({ duration_ms }) => duration_ms },
];

/** The requests to an endpoint, of 30 days. */
export function Attempts({ id, changes }: { readonly id: number; readonly changes: number }) {
  const attempts = usePages(
    ({ get }, cursor) =>
      get('/webhook-endpoints/{id}/attempts', { params: { path: { id }, query: { per_page: 20, cursor } } }),
    [id, changes],
  );
  usePoll(attempts.cursor === '', attempts.reload, NEWER_MS);
  return (
    <Section title="Attempts" of={attempts}>
      <PagedTable
        of={attempts}
        caption="Attempts, newest first"
        hidesCaption
        columns={COLUMNS}
        keyOf={({ id: attempt }) => attempt}
        empty={<p>Nothing was sent yet. Send a ping with “Test”, or wait for an event.</p>}
      />
    </Section>
  );
}
