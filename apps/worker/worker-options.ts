import type { WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '#platform/logging/logger.js';

export interface QueueWorkerOptions {
  readonly connection: Redis;
  readonly prefix: string;
  readonly logger: Logger;
}

/**
 * A killed worker holds the lock of its job for at most `lockDuration`; then another worker runs the job. That may happen
 * any number of times: the rows hold the true state, so a job can always run again.
 */
export function workerOptions({ connection, prefix }: QueueWorkerOptions, concurrency: number): WorkerOptions {
  return {
    connection,
    prefix,
    concurrency,
    lockDuration: 6_000,
    stalledInterval: 1_500,
    maxStalledCount: 1_000,
  };
}
