import { Gauge, Histogram } from 'prom-client';
import type { Metrics } from '#platform/metrics/metrics.js';
import type { Lanes } from './lanes.js';
import { type LedgerObserver, transactionEnds } from './observed-work.js';

const GROUP_BUCKETS = [1, 2, 5, 10, 20, 50, 100, 200];
const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** How large the ledger's transactions are and how long they take: one observation for each, however many it carries. */
export function addLedgerMetrics({ registry }: Metrics): LedgerObserver {
  const registers = [registry];
  const groups = new Histogram({
    name: 'ledger_transaction_operations',
    help: 'Operations in one transaction of the ledger',
    buckets: GROUP_BUCKETS,
    registers,
  });
  const durations = new Histogram({
    name: 'ledger_transaction_duration_seconds',
    help: 'One transaction of the ledger, from asking for a connection to the end of its commit',
    labelNames: ['end'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  // Told from the start: Prometheus sees no increase in a series that begins with it.
  for (const end of transactionEnds) durations.zero({ end });
  return {
    transactionEnded({ operations, ms, end }) {
      groups.observe(operations);
      durations.observe({ end }, ms / 1_000);
    },
  };
}

export function addLaneMetrics({ registry, beforeScrape }: Metrics, lanes: Lanes): void {
  const waiting = new Gauge({
    name: 'ledger_lane_waiting',
    help: 'Calls that wait in a lane for its next transaction',
    labelNames: ['lane'],
    registers: [registry],
  });
  beforeScrape(() => {
    for (const [lane, calls] of lanes.waiting().entries()) waiting.set({ lane: String(lane) }, calls);
  });
}
