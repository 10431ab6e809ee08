import { Reads } from '../api/api.js';
import { patiently } from '../api/pauses.js';
import { csvOf, saveFile } from './csv.js';

interface ListedRows {
  readonly data: readonly object[];
  readonly next?: string | null | undefined;
}

/** Loads a page of a list with the filters that the person sees; empty: the first one. */
export type LoadListPage = (reads: Reads, cursor: string, perPage: number) => Promise<ListedRows>;

/** The most that the API gives at once. */
const PER_PAGE = 100;

/** More is a matter for an export. */
const MOST_ROWS = 20_000;

export interface Walk {
  readonly rows: readonly object[];
  /** There are more. */
  readonly isCut: boolean;
}

/** All rows of a list, up to a bound. */
async function walkList(load: LoadListPage, signal: AbortSignal, onRows: (rows: number) => void): Promise<Walk> {
  const reads = new Reads(signal);
  const rows: object[] = [];
  for (let cursor = ''; ; ) {
    const { data, next } = await patiently(() => load(reads, cursor, PER_PAGE), signal);
    rows.push(...data);
    onRows(rows.length);
    if (next == null || rows.length >= MOST_ROWS) return { rows: rows.slice(0, MOST_ROWS), isCut: next != null };
    cursor = next;
  }
}

/** Saves all rows of a list as a file of this name. */
export async function downloadList(name: string, ...walk: Parameters<typeof walkList>): Promise<Walk> {
  const walked = await walkList(...walk);
  saveFile(`${name}.csv`, csvOf(walked.rows));
  return walked;
}
