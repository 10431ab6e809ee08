import type { Job } from 'bullmq';
import type { PortfolioCheck } from '#audit/portfolio-check.js';
import type { AccountLocks } from '#jobs/account-lock.js';
import { cancellationQueue, portfolioQueue, settlementQueue, wagerJob } from '#jobs/queues.js';
import type { Cancellation } from '#ledger/cancellation.js';
import type { Settlement } from '#ledger/settlement.js';
import {
  type OutboxWorkerContext,
  type ProcessOfEntry,
  type QueueWorker,
  startOutboxWorker,
  toBackOfQueue,
} from './queue-worker.js';

// What decisions, cancels and corrections of a wager leave. Each run does a part of it; then the job goes to the back of the
// queue, so a large wager cannot starve another tenant. A job's progress is for providers: the rows hold the true state.

/**
 * Wagers of different accounts are settled at the same time, because one may wait for rows or for the disk. Each takes up to two
 * connections.
 */
const SETTLEMENTS_AT_ONCE = 2;
/** A run begins no further chunk after this time. */
const RUN_MS = 500;
/** The delay while another job works for the account. */
const ACCOUNT_BUSY_DELAY_MS = 50;

interface Locking extends OutboxWorkerContext {
  readonly locks: AccountLocks;
}

/** A job that waits for the lock of this account gets time to take it. */
const afterOthers = (job: Job, token: string | undefined, isWanted: boolean): Promise<never> =>
  toBackOfQueue(job, token, isWanted ? 2 * ACCOUNT_BUSY_DELAY_MS : 0);

interface Settled {
  readonly settled: number;
  readonly total: number;
}

export interface SettlementWorkerOptions extends Locking {
  readonly settlement: Settlement;
  /** Of the process, when it stops. */
  readonly signal: AbortSignal;
}

export function startSettlementWorker({ settlement, locks, signal, ...options }: SettlementWorkerOptions): QueueWorker {
  const process: ProcessOfEntry<Settled> = async (job, token, onProgress) => {
    const { accountId, outboxId: id, wagerId } = wagerJob.parse(job.data);
    const endsAt = performance.now() + RUN_MS;
    const before = job.data.progress as Settled | undefined;
    let progress = before ?? { settled: 0, total: 0 };
    let isWanted = false;
    const end = await settlement.settle(
      { accountId, id, wagerId },
      {
        total: before?.total,
        mayGoOn: () => !(isWanted || signal.aborted || performance.now() >= endsAt),
        onSettled: async ({ settledCount, isComplete }, total) => {
          progress = { settled: progress.settled + settledCount, total };
          const stored = job.updateData({ ...job.data, progress });
          // The job ends with this chunk: it needs no answer about other jobs, and its failures no longer count.
          if (isComplete) return stored;
          const [isWantedNow] = await Promise.all([
            locks.isWanted(accountId),
            onProgress(),
            stored,
            job.updateProgress(percentOf(progress)),
          ]);
          // Asking clears the mark, and the chunk behind this one reports, too.
          isWanted ||= isWantedNow;
        },
      },
    );
    if (end === 'busy') return toBackOfQueue(job, token, ACCOUNT_BUSY_DELAY_MS);
    if (end === 'more') return afterOthers(job, token, isWanted);
    await job.updateProgress(100);
    return progress;
  };
  return startOutboxWorker({ ...options, queue: settlementQueue, concurrency: SETTLEMENTS_AT_ONCE, process });
}

const percentOf = ({ settled, total }: Settled) => Math.min(99, Math.floor((settled / Math.max(total, 1)) * 100));

export interface CancellationWorkerOptions extends Locking {
  readonly cancellation: Cancellation;
}

export function startCancellationWorker({ cancellation, locks, ...options }: CancellationWorkerOptions): QueueWorker {
  const process: ProcessOfEntry<{ canceled: number }> = async (job, token, onProgress) => {
    const { accountId, outboxId: id, wagerId } = wagerJob.parse(job.data);
    const chunk = await cancellation.cancelChunk({ accountId, id, wagerId });
    if (chunk.state === 'busy') return toBackOfQueue(job, token, ACCOUNT_BUSY_DELAY_MS);
    const canceled = Number(job.data.canceled ?? 0) + chunk.canceledCount;
    if (chunk.state === 'done') return { canceled };
    await job.updateData({ ...job.data, canceled });
    if (chunk.canceledCount > 0) await onProgress();
    return afterOthers(job, token, await locks.isWanted(accountId));
  };
  return startOutboxWorker({ ...options, queue: cancellationQueue, concurrency: 1, process });
}

/** Stored in the job: the last checked user, and counts. */
interface Checked {
  readonly afterUserId: string;
  readonly checkedUsers: number;
  readonly differences: number;
}

const START: Checked = { afterUserId: '0', checkedUsers: 0, differences: 0 };

export interface PortfolioWorkerOptions extends OutboxWorkerContext {
  readonly portfolios: PortfolioCheck;
}

/** Each run checks some users of the wager. */
export function startPortfolioWorker({ portfolios, ...options }: PortfolioWorkerOptions): QueueWorker {
  const process: ProcessOfEntry<Omit<Checked, 'afterUserId'>> = async (job, token, onProgress) => {
    const { accountId, outboxId: id, wagerId } = wagerJob.parse(job.data);
    const { afterUserId, ...counts } = (job.data.progress as Checked | undefined) ?? START;
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
  };
  return startOutboxWorker({ ...options, queue: portfolioQueue, concurrency: 1, process });
}
