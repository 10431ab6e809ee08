import type { Job } from 'bullmq';
import type { AccountLocks } from '#jobs/account-lock.js';
import { settlementQueue, wagerJob } from '#jobs/queues.js';
import type { Settlement } from '#ledger/settlement.js';
import type { Database } from '#platform/database/database.js';
import type { RetryPauses } from './failures-in-a-row.js';
import {
  ACCOUNT_BUSY_DELAY_MS,
  type QueueWorker,
  type QueueWorkerOptions,
  startOutboxWorker,
  toBackOfQueue,
} from './queue-worker.js';

/** Chunks of different accounts run at the same time, because one may wait for rows or for the disk. */
const CONCURRENCY = 2;

export interface SettlementWorkerOptions extends QueueWorkerOptions {
  readonly database: Database;
  readonly settlement: Settlement;
  readonly locks: AccountLocks;
  readonly pauses?: RetryPauses;
}

/** The job's progress, for providers only: the rows hold the true state. */
interface Progress {
  readonly settled: number;
  readonly total: number;
}

/** Each run settles a chunk; then the job goes to the back of the queue, so a large wager cannot starve another tenant. */
export function startSettlementWorker({ settlement, locks, ...options }: SettlementWorkerOptions): QueueWorker {
  async function process(job: Job, token: string | undefined, onProgress: () => Promise<void>): Promise<Progress> {
    const { accountId, outboxId: id, wagerId } = wagerJob.parse(job.data);
    const before = job.data.progress as Progress | undefined;
    const chunk = await settlement.settleChunk({ accountId, id, wagerId }, before?.total);
    if (chunk.state === 'busy') return toBackOfQueue(job, token, ACCOUNT_BUSY_DELAY_MS);
    const progress = { settled: (before?.settled ?? 0) + chunk.settledCount, total: chunk.total };
    await job.updateData({ ...job.data, progress });
    await job.updateProgress(chunk.state === 'done' ? 100 : percentOf(progress));
    if (chunk.state === 'done') return progress;
    await onProgress();
    // Another job waits for the lock of this account: give it time to take the lock.
    const isWanted = await locks.isWanted(accountId);
    return toBackOfQueue(job, token, isWanted ? 2 * ACCOUNT_BUSY_DELAY_MS : 0);
  }
  return startOutboxWorker({ ...options, queue: settlementQueue, concurrency: CONCURRENCY, process });
}

const percentOf = ({ settled, total }: Progress) => Math.min(99, Math.floor((settled / Math.max(total, 1)) * 100));
