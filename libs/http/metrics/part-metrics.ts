import type { RequestHandler } from 'express';
import { addConnectionMetrics, type Connections } from '#platform/metrics/connection-metrics.js';
import { createMetrics, type Metrics } from '#platform/metrics/metrics.js';
import { addProcessMetrics } from '#platform/metrics/process-metrics.js';
import { addLimitMetrics } from '../limits/limit-metrics.js';
import type { OnRefused } from '../limits/rate-limits.js';
import type { ObserveRequest } from '../request-log.js';
import { addHttpMetrics } from './http-metrics.js';
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
