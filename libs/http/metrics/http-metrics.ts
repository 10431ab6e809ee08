import { Histogram } from 'prom-client';
import type { Metrics } from '#platform/metrics/metrics.js';
import type { ObserveRequest } from '../request-log.js';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts and times requests by the pattern of their route: each new path would be a new series. A request whose caller
 * disconnected before the answer has the status `aborted`.
 */
export function addHttpMetrics({ registry }: Metrics): ObserveRequest {
  const durations = new Histogram({
    name: 'ledger_http_request_duration_seconds',
    help: 'From the first look at a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return ({ method, route = 'none', status, isAnswered, ms }) => {
    const known = KNOWN_METHODS.has(method) ? method : 'other';
    durations.observe({ method: known, route, status: isAnswered ? status : 'aborted' }, ms / 1_000);
  };
}
