import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { textOf } from '../api/outages.js';
import { announce } from './alerts.js';
import { formatCount, formatCountOf } from './amount.js';
import type { LoadListPage } from './walk-list.js';

export interface CsvOfList {
  /** Of the file. */
  readonly name: string;
  readonly load: LoadListPage;
}

/** Downloads the list as it is filtered, page by page. */
export function DownloadCsv({ name, load }: CsvOfList) {
  const rows = useSignal<number | undefined>(undefined);
  const stopRef = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stopRef.current?.abort(), []);
  const download = async () => {
    const stop = new AbortController();
    stopRef.current = stop;
    rows.value = 0;
    try {
      const { downloadList } = await import('./walk-list.js');
      const { rows: all, isCut } = await downloadList(name, load, stop.signal, (count) => {
        rows.value = count;
      });
      const end = isCut ? ': there are more, which an export has.' : '.';
      announce(`The file has ${formatCountOf(all.length, 'row')}${end}`);
    } catch (error) {
      if (!stop.signal.aborted) announce(`No file: ${textOf(error)}`);
    }
    rows.value = undefined;
  };
  return (
    <button
      type="button"
      disabled={rows.value !== undefined}
      onClick={() => {
        download().catch(reportError);
      }}
    >
      {rows.value === undefined ? 'Download CSV' : `${formatCount(rows.value)} rows …`}
    </button>
  );
}
