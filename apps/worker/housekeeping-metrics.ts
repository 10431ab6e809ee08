import type { Metrics } from '#platform/metrics/metrics.js';
import { type HousekeepingEnd, housekeepingKinds, type KindResult } from './housekeeping.js';

const ENDS: readonly HousekeepingEnd[] = ['done', 'behind', 'failed'];

/** Counts what this worker's housekeeping does. All series exist from the start, so that an alert can miss an increase. */
export function addHousekeepingMetrics({ counter }: Metrics): (result: KindResult) => void {
  const runs = counter({
    name: 'ledger_housekeeping_runs_total',
    help: 'Runs of housekeeping, by kind of rows and end',
    labelNames: ['kind', 'end'],
  });
  const rows = counter({
    name: 'ledger_housekeeping_deleted_rows_total',
    help: 'Rows that housekeeping has deleted',
    labelNames: ['kind'],
  });
  for (const kind of housekeepingKinds) {
    rows.inc({ kind }, 0);
    for (const end of ENDS) runs.inc({ kind, end }, 0);
  }
  return ({ kind, end, deleted }) => {
    runs.inc({ kind, end });
    rows.inc({ kind }, deleted);
  };
}
