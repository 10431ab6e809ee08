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
  // Told from the start: Prometheus sees no increase in a series that begins with it.
  for (const limit of ['account', 'address']) refusals.inc({ limit }, 0);
  return (limit) => refusals.inc({ limit });
}
