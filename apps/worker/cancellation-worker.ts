import type { Job } from 'bullmq';
import type { AccountLocks } from '#jobs/account-lock.js';
import { cancellationQueue, wagerJob } from '#jobs/queues.js';
import type { Cancellation } from '#ledger/cancellation.js';
import type { Database } from '#platform/database/database.js';
import type { RetryPauses } from './failures-in-a-row.js';
import {
  ACCOUNT_BUSY_DELAY_MS,
  type QueueWorker,
  type QueueWorkerOptions,
  startOutboxWorker,
  toBackOfQueue,
} from './queue-worker.js';

export interface CancellationWorkerOptions extends QueueWorkerOptions {
  readonly database: Database;
  readonly cancellation: Cancellation;
  readonly locks: AccountLocks;
  readonly pauses?: RetryPauses;
}

/** Each run cancels a chunk; then the job goes to the back of the queue, so a large cancel cannot starve another tenant. */
export function startCancellationWorker({ cancellation, locks, ...options }: CancellationWorkerOptions): QueueWorker {
  async function process(
    job: Job,
    token: string | undefined,
    onProgress: () => Promise<void>,
  ): Promise<{ canceled: number }> {
    const { accountId, outboxId: id, wagerId } = wagerJob.parse(job.data);
    const chunk = await cancellation.cancelChunk({ accountId, id, wagerId });
    if (chunk.state === 'busy') return toBackOfQueue(job, token, ACCOUNT_BUSY_DELAY_MS);
    const canceled = Number(job.data.canceled ?? 0) + chunk.canceledCount;
    if (chunk.state === 'done') return { canceled };
    await job.updateData({ ...job.data, canceled });
    if (chunk.canceledCount > 0) await onProgress();
    // Another job waits for the lock of this account: give it time to take the lock.
    const isWanted = await locks.isWanted(accountId);
    return toBackOfQueue(job, token, isWanted ? 2 * ACCOUNT_BUSY_DELAY_MS : 0);
  }
  return startOutboxWorker({ ...options, queue: cancellationQueue, concurrency: 1, process });
}
