import type { MailWork } from '#accounts/mail/mail-work.js';
import { mailQueue, outboxJob } from '#jobs/queues.js';
import type { Database } from '#platform/database/database.js';
import { type QueueWorker, type QueueWorkerOptions, startOutboxWorker } from './queue-worker.js';

const CONCURRENCY = 5;

export interface MailWorkerOptions extends QueueWorkerOptions {
  readonly database: Database;
  readonly work: MailWork;
}

export function startMailWorker({ work, ...options }: MailWorkerOptions): QueueWorker {
  return startOutboxWorker({
    ...options,
    queue: mailQueue,
    concurrency: CONCURRENCY,
    async process(job) {
      const { accountId, outboxId: id } = outboxJob.parse(job.data);
      await work({ accountId, id });
    },
  });
}
