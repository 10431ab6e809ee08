import type { Job } from 'bullmq';
import type { PortfolioCheck } from '#audit/portfolio-check.js';
import { portfolioQueue, wagerJob } from '#jobs/queues.js';
import type { Database } from '#platform/database/database.js';
import type { RetryPauses } from './failures-in-a-row.js';
import {
  ACCOUNT_BUSY_DELAY_MS,
  type QueueWorker,
  type QueueWorkerOptions,
  startOutboxWorker,
  toBackOfQueue,
} from './queue-worker.js';

export interface PortfolioWorkerOptions extends QueueWorkerOptions {
  readonly database: Database;
  readonly portfolios: PortfolioCheck;
  readonly pauses?: RetryPauses;
}

/** Stored in the job: the last checked user, and counts for providers. */
interface Progress {
  readonly afterUserId: string;
  readonly checkedUsers: number;
  readonly differences: number;
}

const START: Progress = { afterUserId: '0', checkedUsers: 0, differences: 0 };

/** Each run checks some users; then the job goes to the back of the queue. */
export function startPortfolioWorker({ portfolios, ...options }: PortfolioWorkerOptions): QueueWorker {
  async function process(
    job: Job,
    token: string | undefined,
    onProgress: () => Promise<void>,
  ): Promise<Omit<Progress, 'afterUserId'>> {
    const { accountId, outboxId: id, wagerId } = wagerJob.parse(job.data);
    const { afterUserId, ...counts } = (job.data.progress as Progress | undefined) ?? START;
    const chunk = await portfolios.checkNext({ accountId, id, wagerId, afterUserId: BigInt(afterUserId) });
    if (chunk === undefined) return toBackOfQueue(job, token, ACCOUNT_BUSY_DELAY_MS);
    for (const { userId, what, stored, recomputed } of chunk.differences) {
      await job.log(
        `user ${userId}: ${what} is ${stored}, its bets and transactions come to ${recomputed} (millionths)`,
      );
    }
    const total = {
      checkedUsers: counts.checkedUsers + chunk.checkedUsers,
      differences: counts.differences + chunk.differences.length,
    };
    if (chunk.lastUserId === null) {
      await job.updateProgress(100);
      return total;
    }
    await job.updateData({ ...job.data, progress: { afterUserId: String(chunk.lastUserId), ...total } });
    await onProgress();
    return toBackOfQueue(job, token);
  }
  return startOutboxWorker({ ...options, queue: portfolioQueue, concurrency: 1, process });
}
