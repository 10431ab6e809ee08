import { api, type Reads, type Schemas } from '../api/api.js';
import { usePages } from '../api/resource.js';
import { viewedAccount } from '../api/viewed-account.js';
import { Fields } from '../forms/fields.js';
import { FormView } from '../forms/form-view.js';
import { textOrNull, useForm } from '../forms/use-form.js';
import { announce } from '../parts/alerts.js';
import { formatCount } from '../parts/amount.js';
import type { Column } from '../parts/data-table.js';
import { dayOf, daysLater, today } from '../parts/days.js';
import { PagedTable } from '../parts/paged-table.js';
import { usePoll } from '../parts/poll.js';
import { Section } from '../parts/section.js';
import { Day, Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';

type Export = Schemas['Export'];

const PROGRESS_MS = 1_000;
const BYTES_OF_A_KB = 1_000;
const KINDS = [
  ['transactions', 'Transactions'],
  ['bets', 'Bets'],
  ['statement', 'Statement of a user'],
] as const;
const FORMATS = [
  ['csv', 'CSV'],
  ['parquet', 'Parquet'],
] as const;

const isUnfinished = ({ state }: Export): boolean => state === 'queued' || state === 'running';

/** Days of UTC, both in the file. */
function NewExport({ onDone }: { readonly onDone: () => void }) {
  const form = useForm({
    name: 'request an export',
    fields: {
      kind: { label: 'Data', value: 'transactions', choices: KINDS },
      format: { label: 'Format', value: 'csv', choices: FORMATS },
      from: { label: 'First day', hint: 'UTC.', type: 'date', value: `${today().slice(0, 8)}01`, isRequired: true },
      to: { label: 'Last day', hint: 'UTC, included.', type: 'date', value: today(), isRequired: true },
      user: { label: 'User', hint: 'Reference of one user. Empty: all users. Required for a statement.' },
    },
    send: ({ kind, format, from, to, user }, idempotencyKey) =>
      api.post('/exports', {
        idempotencyKey,
        body: {
          kind: kind as Export['kind'],
          format: format as Export['format'],
          from,
          to: daysLater(to, 1),
          user: textOrNull(user),
        },
      }),
    onDone() {
      announce('Export requested. The file appears below when it is ready.');
      onDone();
    },
    afterDone: (values) => values,
  });
  return (
    <FormView form={form} action="Request the export">
      <div class="columns">
        <Fields form={form} />
      </div>
    </FormView>
  );
}

/** How far it is; the bar has no figure, because the API has none before the end. */
function State({ of: { id, state, failure } }: { readonly of: Export }) {
  if (state === 'failed') return <span class="tag bad">failed: {failure}</span>;
  if (state === 'done') return <span class="tag good">done</span>;
  return (
    <>
      <span class="tag">{state === 'queued' ? 'queued' : 'in progress'}</span>
      <progress aria-label={`Progress of the export ${id}`} />
    </>
  );
}

function File({ of: { id, state, expires_at, sha256 } }: { readonly of: Export }) {
  if (state !== 'done' || expires_at === null || viewedAccount.value !== undefined) return null;
  if (Date.parse(expires_at) <= Date.now()) return <span class="aside">expired</span>;
  return (
    <>
      <a
        class="button"
        href={`/api/exports/${id}/file`}
        target="_top"
        download
        aria-label={`Download the export ${id}`}
        title={`SHA-256 ${sha256}`}
      >
        Download
      </a>{' '}
      <span class="aside">
        until <Time at={expires_at} />
      </span>
    </>
  );
}

const sizeOf = (bytes: number): string =>
  bytes < BYTES_OF_A_KB ? `${bytes} B` : `${formatCount(Math.round(bytes / BYTES_OF_A_KB))} kB`;

const COLUMNS: readonly Column<Export>[] = [
  {
    title: 'Export',
    text: ({ id, kind, format, user }) => (
      <>
        {id}: {kind}, {format} {user !== null && <bdi>of {user}</bdi>}
      </>
    ),
  },
  {
    title: 'Days (UTC)',
    text: ({ from, to }) => (
      <>
        <Day day={dayOf(new Date(from))} /> to <Day day={daysLater(dayOf(new Date(to)), -1)} />
      </>
    ),
  },
  { title: 'State', text: (item) => <State of={item} /> },
  { title: 'Rows', count: ({ rows }) => rows },
  { title: 'Size', text: ({ bytes }) => bytes !== null && sizeOf(bytes) },
  { title: 'File', text: (item) => <File of={item} /> },
];

const loadExports = ({ get }: Reads, cursor: string, perPage = 20) =>
  get('/exports', { params: { query: { per_page: perPage, cursor } } });

export function ExportsPage() {
  const exports = usePages(loadExports, []);
  usePoll(exports.body?.data.some(isUnfinished) ?? false, exports.reload, PROGRESS_MS);
  return (
    <>
      <Heading text="Exports" />
      <p>Files of all transactions or bets of a period, or of the statement of one user.</p>
      {viewedAccount.value === undefined && (
        <Section title="New export">
          <NewExport onDone={exports.reload} />
        </Section>
      )}
      <Section title="Exports" of={exports}>
        <PagedTable
          of={exports}
          csv={{ name: 'exports', load: loadExports }}
          caption="Exports, newest first"
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={<p>No exports yet. Request one with the form: its file is here to download when it is ready.</p>}
        />
      </Section>
    </>
  );
}
