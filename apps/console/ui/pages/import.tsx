import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { textOf } from '../api/outages.js';
import { mayDo, roleHint } from '../api/session.js';
import { Field } from '../forms/fields.js';
import { formatCount, formatCountOf } from '../parts/amount.js';
import { csvOf, saveFile } from '../parts/csv.js';
import { DataTable } from '../parts/data-table.js';
import { Section } from '../parts/section.js';
import { Heading } from '../shell/heading.js';
import { offerRows } from './import/offers.js';
import {
  type ImportKind,
  type ImportRow,
  MOST_BYTES,
  MOST_ROWS,
  type RowResult,
  readImportRows,
  refusedRow,
} from './import/rows.js';
import { userRows } from './import/users.js';

const KINDS: Readonly<Record<string, ImportKind>> = { users: userRows, offers: offerRows };
const CHOICES = Object.entries(KINDS).map(([name, { title }]) => [name, title] as const);
const SHOWN = 100;

type State =
  | { readonly step: 'choose'; readonly fault?: string }
  | { readonly step: 'checking' | 'running'; readonly of: number; readonly at: number }
  | { readonly step: 'checked' | 'done'; readonly rows: readonly ImportRow[]; readonly results: readonly RowResult[] };

type Checked = Extract<State, { readonly results: readonly RowResult[] }>;

const inOrder = (results: readonly RowResult[]): readonly RowResult[] => [...results].sort((a, b) => a.row - b.row);

/** Rows that cannot be read are refused without a request. */
async function checkRows(kind: ImportKind, rows: readonly ImportRow[], onProgress: (at: number) => void) {
  const unreadable = rows.flatMap((row) => (row.fault === undefined ? [] : [refusedRow(row, row.fault)]));
  const readable = rows.filter(({ fault }) => fault === undefined);
  const checked = readable.length === 0 ? [] : await kind.check(readable, onProgress);
  return inOrder([...unreadable, ...checked]);
}

/** Only rows that passed are sent. */
async function runRows(kind: ImportKind, checked: Checked, onProgress: (at: number) => void) {
  const passed = new Set(checked.results.filter(({ isDone }) => isDone).map(({ row }) => row));
  const sent = await kind.run(
    checked.rows.filter(({ row }) => passed.has(row)),
    onProgress,
  );
  return inOrder([...checked.results.filter(({ isDone }) => !isDone), ...sent]);
}

function Results({ results, isDone }: { readonly results: readonly RowResult[]; readonly isDone: boolean }) {
  const faulty = results.filter((result) => !result.isDone);
  const passed = results.length - faulty.length;
  const download = () =>
    saveFile('import-results.csv', csvOf(results.map(({ isDone: result, ...row }) => ({ ...row, done: result }))));
  return (
    <>
      <p role="status">
        <strong>
          {formatCountOf(passed, 'row')} {isDone ? 'done' : 'would be done'}, {formatCount(faulty.length)}{' '}
          {isDone ? 'failed' : 'would fail'}.
        </strong>
      </p>
      <DataTable
        caption={isDone ? 'Rows that failed' : 'Rows that would fail'}
        columns={[
          { title: 'Row', count: ({ row }) => row },
          { title: 'What', text: ({ label }) => <bdi>{label}</bdi> },
          { title: 'Why', text: ({ text }) => <bdi>{text}</bdi> },
        ]}
        items={faulty.slice(0, SHOWN)}
        keyOf={({ row }) => row}
        empty={<p>{isDone ? 'No row failed.' : 'No row would fail.'}</p>}
      />
      {faulty.length > SHOWN && <p class="aside">The first {SHOWN}; all are in the file of results.</p>}
      <div class="actions">
        <button type="button" onClick={download}>
          Download the results
        </button>
      </div>
    </>
  );
}

interface FileFieldProps {
  readonly kind: ImportKind;
  readonly isOff: boolean;
  readonly onFile: (file: File) => void;
}

function FileField({ kind, isOff, onFile }: FileFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>CSV file</label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        disabled={isOff}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
      <p id={`${id}-hint`} class="hint">
        The first line names the columns: {kind.columns.join(', ')}, and meta.NAME for your own data. Up to{' '}
        {formatCount(MOST_ROWS)} rows. {kind.hint}
      </p>
    </div>
  );
}

/** The import of a file, step by step. */
function useImport(kind: ImportKind) {
  const state = useSignal<State>({ step: 'choose' });
  const turnRef = useRef(0);
  /** The latest choice counts: an earlier one says nothing any more. */
  const work = async (begin: State, run: (set: (next: State) => void) => Promise<State>) => {
    turnRef.current += 1;
    const turn = turnRef.current;
    const set = (next: State) => {
      if (turn === turnRef.current) state.value = next;
    };
    set(begin);
    set(await run(set).catch((error: unknown) => ({ step: 'choose' as const, fault: textOf(error) })));
  };
  const check = (file: File) =>
    work({ step: 'checking', of: 0, at: 0 }, async (set) => {
      if (file.size > MOST_BYTES) return { step: 'choose', fault: 'The file is larger than 4 MB.' };
      const read = readImportRows(kind, await file.text());
      if ('fault' in read) return { step: 'choose', fault: read.fault };
      const { rows } = read;
      const results = await checkRows(kind, rows, (at) => set({ step: 'checking', of: rows.length, at }));
      return { step: 'checked', rows, results };
    });
  const run = (checked: Checked) =>
    work({ step: 'running', of: checked.results.length, at: 0 }, async (set) => ({
      step: 'done',
      rows: checked.rows,
      results: await runRows(kind, checked, (at) => set({ step: 'running', of: checked.results.length, at })),
    }));
  const begin = () => {
    turnRef.current += 1;
    state.value = { step: 'choose' };
  };
  return { shown: state.value, begin, check, run };
}

function Progress({ is: { step, at, of } }: { readonly is: Extract<State, { readonly at: number }> }) {
  return (
    <p role="status">
      {step === 'checking' ? 'Checking' : 'Importing'}: {formatCount(at)} of {formatCount(of)}{' '}
      <progress aria-label="Rows" value={at} max={Math.max(1, of)} />
    </p>
  );
}

/** What the check has found, with the button that imports, or what was done. */
function Outcome({ of, onRun }: { readonly of: Checked; readonly onRun: () => void }) {
  const passed = of.results.filter(({ isDone }) => isDone).length;
  return (
    <Section title={of.step === 'checked' ? 'What would happen' : 'Result'}>
      {of.step === 'checked' && (
        <div class="actions">
          <button type="button" class="main" disabled={passed === 0} onClick={onRun}>
            Import {formatCountOf(passed, 'row')}
          </button>
        </div>
      )}
      <Results results={of.results} isDone={of.step === 'done'} />
    </Section>
  );
}

export function ImportPage() {
  const chosen = useSignal('users');
  const kind = KINDS[chosen.value] ?? userRows;
  const { shown, begin, check, run } = useImport(kind);
  return (
    <>
      <Heading text="Import" />
      <p>A file is checked first, and nothing is written before you confirm.</p>
      <Field
        name="kind"
        label="What"
        choices={CHOICES}
        value={chosen.value}
        onChange={(value) => {
          chosen.value = value;
          begin();
        }}
      />
      <FileField
        kind={kind}
        isOff={shown.step === 'running' || !mayDo('trader')}
        onFile={(file) => {
          check(file).catch(reportError);
        }}
      />
      {!mayDo('trader') && <p class="hint">{roleHint()}</p>}
      {shown.step === 'choose' && shown.fault !== undefined && (
        <p class="fault" role="alert">
          <bdi>{shown.fault}</bdi>
        </p>
      )}
      {'at' in shown && <Progress is={shown} />}
      {'results' in shown && (
        <Outcome
          of={shown}
          onRun={() => {
            run(shown).catch(reportError);
          }}
        />
      )}
    </>
  );
}
