import type { WorkerOptions } from 'bullmq';
import { type QueueDefinition, queuePrefix } from '#jobs/queues.js';
import type { Logger } from '#platform/logging/logger.js';
import type { RedisClient } from '#platform/redis/redis.js';

export interface QueueWorkerOptions {
  readonly connection: RedisClient;
  readonly prefix: string;
  readonly logger: Logger;
}

/**
 * A killed worker holds the lock of its job for at most `lockDuration`; then another worker runs the job. That may happen
 * any number of times: the rows hold the true state, so a job can always run again.
 */
export function workerOptions(options: QueueWorkerOptions, queue: QueueDefinition, concurrency: number): WorkerOptions {
  const { connection, prefix } = options;
  return {
    connection,
    prefix: queuePrefix(connection, prefix, queue.name),
    concurrency,
    lockDuration: 6_000,
    stalledInterval: 1_500,
    maxStalledCount: 1_000,
  };
}
