import { DelayedError, type Job } from 'bullmq';
import { markFailed } from '#jobs/outbox.js';
import { outboxJob, type QueueDefinition } from '#jobs/queues.js';
import type { Database } from '#platform/database/database.js';
import { isDatabaseAway } from '#platform/database/errors.js';
import { withTrace } from '#platform/logging/trace-context.js';
import { createFailuresInARow, type RetryPauses } from './failures-in-a-row.js';
import { QueueWorker, type QueueWorkerOptions, toBackOfQueue, workerOptions } from './queue-worker.js';

const DATABASE_AWAY_DELAY_MS = 1_000;

export interface OutboxWorkerOptions extends QueueWorkerOptions {
  readonly database: Database;
  readonly queue: QueueDefinition;
  readonly concurrency: number;
  /** Of jobs that never end undone. */
  readonly pauses?: RetryPauses;
  /**
   * Returns the job's result, or sends the job to the back of its queue. It calls `onProgress` when a part of the work is
   * done: failures are then counted from zero.
   */
  readonly process: (job: Job, token: string | undefined, onProgress: () => Promise<void>) => Promise<unknown>;
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
