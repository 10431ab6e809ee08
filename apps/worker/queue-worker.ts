import { DelayedError, type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import type { RunningJob } from '#jobs/heartbeats.js';
import { type QueueDefinition, queuePrefix } from '#jobs/queues.js';
import type { Logger } from '#platform/logging/logger.js';
import type { RedisClient } from '#platform/redis/redis.js';

/**
 * A blocking read for the next job. BullMQ resets a connection that has not answered a second after that, so this is also
 * how long a silent connection to Redis stays unnoticed.
 */
const BLOCK_SECONDS = 3;
/** After a connection error. */
const RETRY_MS = 1_000;

const runningJob = ({ queueName: queue, name, data }: Job): RunningJob => ({
  queue,
  name,
  startedMs: performance.now(),
  ...(typeof data?.accountId === 'string' && { accountId: data.accountId }),
  ...(typeof data?.wagerId === 'string' && { wagerId: data.wagerId }),
});

/** BullMQ's worker, which otherwise blocks for ten seconds while a delayed job waits. It knows the jobs that it runs. */
export class QueueWorker extends Worker {
  readonly #running: Set<RunningJob>;

  constructor(name: string, process: Processor, options: WorkerOptions) {
    const running = new Set<RunningJob>();
    const noted: Processor = async (job, token) => {
      const one = runningJob(job);
      running.add(one);
      try {
        return await process(job, token);
      } finally {
        running.delete(one);
      }
    };
    super(name, noted, { ...options, drainDelay: BLOCK_SECONDS, runRetryDelay: RETRY_MS });
    this.#running = running;
  }

  runningJobs(): readonly RunningJob[] {
    return [...this.#running];
  }

  protected override getBlockTimeout(blockUntil: number): number {
    return Math.min(super.getBlockTimeout(blockUntil), BLOCK_SECONDS);
  }
}

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

/** The delay while another job works for the account: about the time of one chunk. */
export const ACCOUNT_BUSY_DELAY_MS = 50;

/**
 * Ends this run of a job and puts it behind all waiting jobs. It becomes a delayed job, because BullMQ puts a due delayed
 * job at the end of the queue, but a job that returns to waiting at the front.
 */
export async function toBackOfQueue(job: Job, token: string | undefined, delayMs = 0): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}
