import { Counter } from 'prom-client';
import type { Metrics } from '../metrics/metrics.js';
import type { OnQuotaRefused } from './quota-use.js';
import { quotaNames } from './quotas.js';

export function addQuotaMetrics({ registry }: Metrics): OnQuotaRefused {
  const refusals = new Counter({
    name: 'ledger_quota_refusals_total',
    help: 'What callers were refused because an account, a network or all together held too much of it',
    labelNames: ['quota'],
    registers: [registry],
  });
  // Prometheus sees no increase in the first value of a series.
  for (const quota of quotaNames) refusals.inc({ quota }, 0);
  return (quota) => refusals.inc({ quota });
}
