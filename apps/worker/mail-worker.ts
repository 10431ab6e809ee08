import type { MailWork } from '#accounts/mail/mail-work.js';
import { mailQueue, outboxJob } from '#jobs/queues.js';
import { type OutboxWorkerContext, type QueueWorker, startOutboxWorker } from './queue-worker.js';

const CONCURRENCY = 5;

export interface MailWorkerOptions extends OutboxWorkerContext {
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
