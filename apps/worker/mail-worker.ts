import { Worker } from 'bullmq';
import type { Database } from '#database/database.js';
import type { MailWork } from '#mail/mail-work.js';
import { markFailed } from '#outbox/outbox.js';
import { mailQueue, outboxJob } from '#queues/queues.js';
import { type QueueWorkerOptions, workerOptions } from './worker-options.js';

const CONCURRENCY = 5;

export interface MailWorkerOptions extends QueueWorkerOptions {
  readonly database: Database;
  readonly work: MailWork;
}

export function startMailWorker(options: MailWorkerOptions): Worker {
  const { database, work, logger } = options;
  const worker = new Worker(
    mailQueue.name,
    async (job) => {
      const { accountId, outboxId: id } = outboxJob.parse(job.data);
      try {
        await work({ accountId, id });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const isLastAttempt = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
        logger.warn({ job: job.id, topic: job.name, attempt: job.attemptsMade + 1, reason }, 'mail not sent');
        // Written before the queue gives up, so that the database knows even if Redis forgets. With the database away,
        // the job keeps the reason, and a sweep writes it down later.
        if (isLastAttempt) {
          await markFailed(database, { accountId, id }, reason).catch((failure) =>
            logger.warn({ job: job.id, reason: String(failure) }, 'failure left to the sweep'),
          );
        }
        throw error;
      }
    },
    workerOptions(options, CONCURRENCY),
  );
  worker.on('completed', (job) => logger.info({ job: job.id, topic: job.name }, 'mail job done'));
  worker.on('error', (error) => logger.debug({ reason: error.message }, 'mail worker'));
  return worker;
}
