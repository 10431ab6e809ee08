import { Counter } from 'prom-client';
import type { Metrics } from '#platform/metrics/metrics.js';
import type { RefusedCallsOptions } from './refused-calls.js';

export function addRefusedCallMetrics({ registry }: Metrics): RefusedCallsOptions['onDropped'] {
  const dropped = new Counter({
    name: 'ledger_refused_calls_dropped_total',
    help: 'Refused calls that are in no request log: the account or the process had too many, or too many waited for PostgreSQL',
    labelNames: ['by'],
    registers: [registry],
  });
  for (const by of ['account', 'process', 'waiting']) dropped.inc({ by }, 0);
  return (by, calls) => dropped.inc({ by }, calls);
}
