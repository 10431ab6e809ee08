import type { Job } from 'bullmq';
import { type EntryKey, markFailed, noteProgress } from '#jobs/outbox.js';
import { outboxJob } from '#jobs/queues.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';

// A job of ledger work is tried for ever. BullMQ counts all failures of a job's life, so the job itself carries those in a
// row. From the tenth on, its entry in the outbox carries `failed_at` and `failure`: metrics and providers read them there,
// and they outlive an emptied Redis.

const STUCK_AFTER = 10;

/** The pause before the next try doubles with each failure in a row. */
export interface RetryPauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

export const RETRY_PAUSES: RetryPauses = { firstMs: 500, longestMs: 60_000 };

/** So that jobs that failed together are not tried together. */
const JITTER = 0.2;

/** BullMQ gives a job of fewer fields to the computation of a pause. */
type CountedJob = Pick<Job, 'data'>;

const failuresOf = ({ data }: CountedJob): number => data.failuresInARow ?? 0;

export function pauseAfter(failures: number, { firstMs, longestMs }: RetryPauses): number {
  const pause = failures >= STUCK_AFTER ? longestMs : Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.ceil(pause * (1 - JITTER * Math.random()));
}

export interface FailuresInARowOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly pauses?: RetryPauses;
}

export interface FailuresInARow {
  /** Counts a failed try. The error is logged once, when the job is stuck. */
  add(job: Job, reason: string): Promise<void>;
  /** A part of the work is done: the next failure is the first in a row. */
  clear(job: Job): Promise<void>;
  /** How long BullMQ waits before the next try. */
  pauseBefore(job: CountedJob | undefined): number;
}

export function createFailuresInARow(options: FailuresInARowOptions): FailuresInARow {
  const { database, logger, pauses = RETRY_PAUSES } = options;

  async function markStuck(job: Job, entry: EntryKey, reason: string): Promise<void> {
    // The next try that fails writes it again.
    await markFailed(database.of(entry.accountId), entry, reason).catch((failure) =>
      logger.warn({ job: job.id, reason: String(failure) }, 'failure left to the next try'),
    );
  }

  return {
    async add(job, reason) {
      const failures = failuresOf(job) + 1;
      await job.updateData({ ...job.data, failuresInARow: failures });
      const line = { job: job.id, topic: job.name, failuresInARow: failures, reason };
      if (failures === STUCK_AFTER) logger.error(line, `${job.queueName} job is stuck: it is tried on, every minute`);
      else logger.warn(line, `${job.queueName} job failed`);
      const { accountId, outboxId: id } = outboxJob.parse(job.data);
      if (failures >= STUCK_AFTER) await markStuck(job, { accountId, id }, reason);
    },
    async clear(job) {
      const { failuresInARow, ...data } = job.data;
      if (failuresInARow !== undefined) await job.updateData(data);
      const { accountId, outboxId: id } = outboxJob.parse(data);
      // Also without a count: an emptied Redis has lost it.
      await noteProgress(database.of(accountId), { accountId, id });
    },
    pauseBefore: (job) => (job === undefined ? pauses.firstMs : pauseAfter(failuresOf(job), pauses)),
  };
}
