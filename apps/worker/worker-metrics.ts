import type { Worker } from 'bullmq';
import { addAuditMetrics } from '#audit/audit-metrics.js';
import { addIndexMetrics } from '#events/event-metrics.js';
import { createMetricsApp } from '#http/metrics/metrics-page.js';
import { type RunningServer, serve } from '#http/server.js';
import { addBacklogMetrics } from '#jobs/metrics/backlog-metrics.js';
import { addJobMetrics } from '#jobs/metrics/job-metrics.js';
import { addQueueMetrics } from '#jobs/metrics/queue-metrics.js';
import { addClockMetrics } from '#ledger/ledger-metrics.js';
import type { Config } from '#platform/config/config.js';
import type { Reads } from '#platform/database/reads.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import type { RedisClient } from '#platform/redis/redis.js';
import { addEndpointMetrics } from '#webhooks/webhook-metrics.js';

export interface WorkerMetricsOptions {
  readonly metrics: Metrics;
  readonly reads: Reads;
  readonly redis: RedisClient;
  readonly workers: readonly Worker[];
  readonly config: Config;
  readonly logger: Logger;
}

export interface WorkerMetrics {
  /** Undefined when no metrics are served. */
  readonly port: number | undefined;
  close(): Promise<void>;
}

/** Serves metrics on a port of their own, when the configuration names one. */
export async function serveWorkerMetrics(options: WorkerMetricsOptions): Promise<WorkerMetrics> {
  const { metrics, workers, reads, redis, config, logger } = options;
  addJobMetrics(metrics, workers);
  if (config.workerMetricsPort === undefined) return { port: undefined, close: async () => metrics.close() };
  addBacklogMetrics(metrics, reads);
  addClockMetrics(metrics, reads);
  addAuditMetrics(metrics, reads);
  addEndpointMetrics(metrics, reads);
  addIndexMetrics(metrics, reads);
  const queues = addQueueMetrics(metrics, { redis, prefix: config.redisPrefix });
  const server = await serveOrLog(options, config.workerMetricsPort);
  if (server !== undefined) logger.info({ host: config.host, port: server.port }, 'metrics are served');
  return {
    port: server?.port,
    async close() {
      await server?.close();
      await queues.close();
      metrics.close();
    },
  };
}

/** A port in use does not stop the worker: settlements and mails matter more than metrics. */
async function serveOrLog(options: WorkerMetricsOptions, port: number): Promise<RunningServer | undefined> {
  const { metrics, config, logger } = options;
  try {
    return await serve(createMetricsApp(metrics, config.metricsToken, logger), { host: config.host, port });
  } catch (error) {
    logger.error({ port, reason: error instanceof Error ? error.message : String(error) }, 'metrics are not served');
    return undefined;
  }
}
