import type { RequestHandler } from 'express';
import { addConnectionMetrics, type Connections } from '#platform/metrics/connection-metrics.js';
import { createMetrics, type Metrics } from '#platform/metrics/metrics.js';
import { addProcessMetrics } from '#platform/metrics/process-metrics.js';
import type { ObserveRequest } from '../access-log.js';
import type { OnRefused } from '../limits/rate-limits.js';
import { metricsPage } from './metrics-page.js';

/** The metrics that API, worker and dashboard share. */
export function createPartMetrics(connections: Connections): Metrics {
  const metrics = createMetrics();
  addProcessMetrics(metrics);
  addConnectionMetrics(metrics, connections);
  return metrics;
}

/** The metrics of a part that serves requests. */
export interface ServerMetrics extends Metrics {
  readonly observeRequest: ObserveRequest;
  readonly onLimitRefused: OnRefused;
  readonly page: RequestHandler;
}

export interface ServerMetricsOptions extends Connections {
  readonly token: string | undefined;
}

export function createServerMetrics({ token, ...connections }: ServerMetricsOptions): ServerMetrics {
  const metrics = createPartMetrics(connections);
  return {
    ...metrics,
    observeRequest: addHttpMetrics(metrics),
    onLimitRefused: addLimitMetrics(metrics),
    page: metricsPage(metrics, token),
  };
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts and times requests by the pattern of their route: each new path would be a new series. A request whose caller
 * disconnected before the answer has the status `aborted`.
 */
function addHttpMetrics({ histogram }: Metrics): ObserveRequest {
  const durations = histogram({
    name: 'ledger_http_request_duration_seconds',
    help: 'From the first look at a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
  });
  return ({ method, route = 'none', status, isAnswered, ms }) => {
    const known = KNOWN_METHODS.has(method) ? method : 'other';
    durations.observe({ method: known, route, status: isAnswered ? status : 'aborted' }, ms / 1_000);
  };
}

function addLimitMetrics({ counter }: Metrics): OnRefused {
  const refusals = counter({
    name: 'ledger_rate_limit_refusals_total',
    help: 'Requests refused with 429, by the limit that they met',
    labelNames: ['limit'],
  });
  // Starts both series at 0: Prometheus sees no increase in the first value of a series.
  for (const limit of ['account', 'address']) refusals.inc({ limit }, 0);
  return (limit) => refusals.inc({ limit });
}
