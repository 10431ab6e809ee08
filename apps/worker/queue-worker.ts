import { DelayedError, type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import type { RunningJob } from '#jobs/heartbeats.js';
import { markFailed } from '#jobs/outbox.js';
import { outboxJob, type QueueDefinition, queuePrefix } from '#jobs/queues.js';
import type { Database } from '#platform/database/database.js';
import { isDatabaseAway } from '#platform/database/errors.js';
import type { Logger } from '#platform/logging/logger.js';
import { withTrace } from '#platform/logging/trace-context.js';
import type { RedisClient } from '#platform/redis/redis.js';
import { createFailuresInARow, type RetryPauses } from './failures-in-a-row.js';

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

/**
 * Ends this run of a job and puts it behind all waiting jobs. It becomes a delayed job, because BullMQ puts a due delayed
 * job at the end of the queue, but a job that returns to waiting at the front.
 */
export async function toBackOfQueue(job: Job, token: string | undefined, delayMs = 0): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}

const DATABASE_AWAY_DELAY_MS = 1_000;

/** What each worker for jobs of outbox entries needs. */
export interface OutboxWorkerContext extends QueueWorkerOptions {
  readonly database: Database;
  /** Of jobs that never end undone. */
  readonly pauses?: RetryPauses;
}

/**
 * Returns the job's result, or sends the job to the back of its queue. It calls `onProgress` when a part of the work is
 * done: failures are then counted from zero.
 */
export type ProcessOfEntry<Result> = (
  job: Job,
  token: string | undefined,
  onProgress: () => Promise<void>,
) => Promise<Result>;

export interface OutboxWorkerOptions extends OutboxWorkerContext {
  readonly queue: QueueDefinition;
  readonly concurrency: number;
  readonly process: ProcessOfEntry<unknown>;
}

/** Runs `use` in the trace of the request that caused the job, for its log lines and its own outbox entries. */
const inTraceOfRequest =
  <Rest extends unknown[], Result>(use: (job: Job, ...rest: Rest) => Result) =>
  (job: Job, ...rest: Rest): Result =>
    withTrace(job.data.traceId, () => use(job, ...rest));

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Starts a worker for jobs of outbox entries: it writes the result of a job into its entry. */
export function startOutboxWorker(options: OutboxWorkerOptions): QueueWorker {
  const { database, queue, concurrency, process, logger } = options;
  const failures = createFailuresInARow(options);

  async function recordAttempt(job: Job, reason: string): Promise<void> {
    const { accountId, outboxId: id } = outboxJob.parse(job.data);
    const attempt = job.attemptsMade + 1;
    logger.warn({ job: job.id, topic: job.name, attempt, reason }, `${queue.name} job failed`);
    if (attempt < (job.opts.attempts ?? 1)) return;
    // Written before the queue gives up, so that PostgreSQL knows it even when Redis loses the job. While PostgreSQL is
    // away, the reason stays in the job, and a sweep writes it later.
    await markFailed(database.of(accountId), { accountId, id }, reason).catch((failure) =>
      logger.warn({ job: job.id, reason: String(failure) }, 'failure left to the sweep'),
    );
  }

  const worker = new QueueWorker(
    queue.name,
    inTraceOfRequest(async (job, token) => {
      try {
        return await process(job, token, () => failures.clear(job));
      } catch (error) {
        if (error instanceof DelayedError) throw error;
        // Not a failure of the job, which can safely run again.
        if (isDatabaseAway(error)) {
          logger.warn(
            { job: job.id, topic: job.name, reason: reasonOf(error) },
            `${queue.name} job waits for PostgreSQL`,
          );
          return toBackOfQueue(job, token, DATABASE_AWAY_DELAY_MS);
        }
        await (queue.givesUp ? recordAttempt : failures.add)(job, reasonOf(error));
        throw error;
      }
    }),
    {
      ...workerOptions(options, queue, concurrency),
      settings: { backoffStrategy: (_attempts, _type, _error, job) => failures.pauseBefore(job) },
    },
  );
  worker.on(
    'completed',
    inTraceOfRequest((job) => logger.info({ job: job.id, topic: job.name }, `${queue.name} job done`)),
  );
  worker.on('error', (error) => logger.debug({ reason: error.message }, `${queue.name} worker`));
  return worker;
}
