import { Counter } from 'prom-client';
import type { Metrics } from '#platform/metrics/metrics.js';

/** Counts events that stay unwritten, because too many waited for PostgreSQL. */
export function addAccountEventMetrics({ registry }: Metrics): (events: number) => void {
  const dropped = new Counter({
    name: 'ledger_account_events_dropped_total',
    help: 'Wrong logins, reads and refusals at quotas that are in no account event: too many waited for PostgreSQL',
    registers: [registry],
  });
  return (events) => dropped.inc(events);
}
