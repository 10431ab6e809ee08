import type { WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '#platform/logging/logger.js';

export interface QueueWorkerOptions {
  readonly connection: Redis;
  readonly prefix: string;
  readonly logger: Logger;
}

/**
 * A worker that is killed holds its job's lock for this long at the most; then another one takes the job up. Any number
 * of such losses is survivable: the rows say what is done, so a job may always run again.
 */
export function workerOptions({ connection, prefix }: QueueWorkerOptions, concurrency: number): WorkerOptions {
  return {
    connection,
    prefix,
    concurrency,
    lockDuration: 6_000,
    stalledInterval: 3_000,
    maxStalledCount: 1_000,
  };
}
