import type { Worker } from 'bullmq';
import { createMetricsApp } from '#http/metrics/metrics-page.js';
import { type RunningServer, serve } from '#http/server.js';
import { addBacklogMetrics } from '#jobs/metrics/backlog-metrics.js';
import { addJobMetrics } from '#jobs/metrics/job-metrics.js';
import { addQueueMetrics } from '#jobs/metrics/queue-metrics.js';
import type { Config } from '#platform/config/config.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Connections } from '#platform/metrics/connection-metrics.js';
import type { Metrics } from '#platform/metrics/metrics.js';

export interface WorkerMetricsOptions extends Connections {
  readonly metrics: Metrics;
  readonly workers: readonly Worker[];
  readonly config: Config;
  readonly logger: Logger;
}

export interface WorkerMetrics {
  /** None: no metrics are served. */
  readonly port: number | undefined;
  close(): Promise<void>;
}

/** A page of its own for metrics, where a port for it is given. */
export async function serveWorkerMetrics(options: WorkerMetricsOptions): Promise<WorkerMetrics> {
  const { metrics, workers, database, redis, config, logger } = options;
  addJobMetrics(metrics, workers);
  if (config.workerMetricsPort === undefined) return { port: undefined, close: async () => metrics.close() };
  addBacklogMetrics(metrics, database);
  const queues = addQueueMetrics(metrics, { redis, prefix: config.redisPrefix });
  const server = await serveOrSay(options, config.workerMetricsPort);
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

/** Bets are settled and mails sent whether or not somebody can look: a port that is taken does not stop the worker. */
async function serveOrSay(options: WorkerMetricsOptions, port: number): Promise<RunningServer | undefined> {
  const { metrics, config, logger } = options;
  try {
    return await serve(createMetricsApp(metrics, config.metricsToken, logger), { host: config.host, port });
  } catch (error) {
    logger.error({ port, reason: error instanceof Error ? error.message : String(error) }, 'metrics are not served');
    return undefined;
  }
}
