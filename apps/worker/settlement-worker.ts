import type { Job, Worker } from 'bullmq';
import type { Database } from '#database/database.js';
import { settlementQueue, wagerJob } from '#queues/queues.js';
import type { Settlement, SettlementJob } from '#settlement/settlement.js';
import { ACCOUNT_BUSY_DELAY_MS, toBackOfQueue } from './back-of-queue.js';
import { startOutboxWorker } from './outbox-worker.js';
import type { QueueWorkerOptions } from './worker-options.js';

/** Chunks of different accounts at once: one may wait for rows, or for the disk. */
const CONCURRENCY = 2;

export interface SettlementWorkerOptions extends QueueWorkerOptions {
  readonly database: Database;
  readonly settlement: Settlement;
}

/** How far the job is, for people who look at it: what is right stands in the rows. */
interface Progress {
  readonly settled: number;
  readonly total: number;
}

/** A chunk for each run, then to the back of the queue: a large wager cannot starve another tenant's. */
export function startSettlementWorker({ settlement, ...options }: SettlementWorkerOptions): Worker {
  async function process(job: Job, token: string | undefined): Promise<Progress> {
    const settlementJob = settlementJobOf(job);
    const before = (job.data.progress as Progress | undefined) ?? {
      settled: 0,
      total: await settlement.countLeft(settlementJob),
    };
    const chunk = await settlement.settleChunk(settlementJob);
    if (chunk.state === 'busy') return toBackOfQueue(job, token, ACCOUNT_BUSY_DELAY_MS);
    const progress = { ...before, settled: before.settled + chunk.settledCount };
    await job.updateData({ ...job.data, progress });
    await job.updateProgress(percentOf(progress));
    return chunk.state === 'more' ? toBackOfQueue(job, token) : progress;
  }
  return startOutboxWorker({ ...options, queue: settlementQueue, concurrency: CONCURRENCY, process });
}

function settlementJobOf(job: Job): SettlementJob {
  const { accountId, outboxId: id, wagerId } = wagerJob.parse(job.data);
  return { accountId, id, wagerId };
}

const percentOf = ({ settled, total }: Progress) => (settled >= total ? 100 : Math.floor((settled / total) * 100));
