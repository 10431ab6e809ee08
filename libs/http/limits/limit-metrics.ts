import { Counter } from 'prom-client';
import type { Metrics } from '#platform/metrics/metrics.js';
import type { OnRefused } from './rate-limits.js';

export function addLimitMetrics({ registry }: Metrics): OnRefused {
  const refusals = new Counter({
    name: 'ledger_rate_limit_refusals_total',
    help: 'Requests refused with 429, by the limit that they met',
    labelNames: ['limit'],
    registers: [registry],
  });
  // Starts both series at 0: Prometheus sees no increase in the first value of a series.
  for (const limit of ['account', 'address']) refusals.inc({ limit }, 0);
  return (limit) => refusals.inc({ limit });
}
