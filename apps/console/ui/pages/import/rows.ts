import { csvRowsIn, withoutGuard } from '../../parts/csv.js';

/** A row of a file: what is sent for it, or why it cannot be. */
export interface ImportRow {
  /** Counted from 1, without the line of the columns. */
  readonly row: number;
  /** Names it to a person. */
  readonly label: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly fault: string | undefined;
}

/** What became of a row, or would. */
export interface RowResult {
  readonly row: number;
  readonly label: string;
  readonly isDone: boolean;
  readonly text: string;
}

export type OnProgress = (rows: number) => void;

/** What a file is imported as. */
export interface ImportKind {
  readonly title: string;
  readonly hint: string;
  /** Of the cells of a row, by the names of the columns. Cells that are empty are left out. */
  readonly columns: readonly string[];
  readonly required: readonly string[];
  readonly readRow: (cells: Readonly<Record<string, string>>) => Omit<ImportRow, 'row'>;
  /** Tells what would become of each row, and changes nothing. */
  readonly check: (rows: readonly ImportRow[], onProgress: OnProgress) => Promise<readonly RowResult[]>;
  readonly run: (rows: readonly ImportRow[], onProgress: OnProgress) => Promise<readonly RowResult[]>;
}

export const MOST_ROWS = 5_000;
export const MOST_BYTES = 4_000_000;

export type ReadFile = { readonly rows: readonly ImportRow[] } | { readonly fault: string };

function faultOf(kind: ImportKind, names: readonly string[], count: number): string | undefined {
  const unknown = names.filter((name) => !kind.columns.includes(name) && !name.startsWith('meta.'));
  const missing = kind.required.filter((name) => !names.includes(name));
  if (missing.length > 0) return `The first line must name the columns: ${missing.join(', ')} missing.`;
  if (unknown.length > 0) return `Unknown columns: ${unknown.join(', ')}. Known are ${kind.columns.join(', ')}.`;
  if (count === 0) return 'The file has no rows.';
  return count > MOST_ROWS ? `The file has ${count} rows: ${MOST_ROWS} at most.` : undefined;
}

/** The rows of a CSV, whose first line names the columns. */
export function readImportRows(kind: ImportKind, text: string): ReadFile {
  const lines = csvRowsIn(text);
  if (lines === undefined) return { fault: 'This is no CSV: a quote is not closed.' };
  const [head = [], ...others] = lines;
  const names = head.map((name) => name.trim());
  const fault = faultOf(kind, names, others.length);
  if (fault !== undefined) return { fault };
  return {
    rows: others.map((cells, index) => {
      const given = names.map((name, at) => [name, withoutGuard((cells[at] ?? '').trim())] as const);
      const isLong = cells.length > names.length;
      const read = kind.readRow(Object.fromEntries(given.filter(([, cell]) => cell !== '')));
      return { ...read, row: index + 1, fault: isLong ? 'has more cells than columns' : read.fault };
    }),
  };
}

/** The texts of columns like `meta.team`. */
export function metaOf(cells: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const meta = Object.entries(cells).flatMap(([name, cell]) =>
    name.startsWith('meta.') ? [[name.slice('meta.'.length), cell] as const] : [],
  );
  return meta.length === 0 ? undefined : Object.fromEntries(meta);
}

export const refusedRow = ({ row, label }: ImportRow, text: string): RowResult => ({ row, label, isDone: false, text });
export const doneRow = ({ row, label }: ImportRow, text: string): RowResult => ({ row, label, isDone: true, text });

/** In portions of so many. */
export function portionsOf<Item>(items: readonly Item[], count: number): readonly (readonly Item[])[] {
  const portions: Item[][] = [];
  for (let at = 0; at < items.length; at += count) portions.push(items.slice(at, at + count));
  return portions;
}
