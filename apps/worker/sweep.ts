import type { Job, JobsOptions } from 'bullmq';
import { createSkippedNights } from '#audit/audit-lag.js';
import { auditTries, nextAudit } from '#audit/daily-audit.js';
import { closeAll } from '#jobs/closing.js';
import { maintenanceQueue, openQueue } from '#jobs/queues.js';
import type { OutboxRelay } from '#jobs/relay.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { onPossibleLoss, type RedisClient } from '#platform/redis/redis.js';

const SWEEP_EVERY_MS = 2_000;
/** One job a minute, however many workers add it. It leaves no trace in Redis: the log and the metrics have its result. */
const onceAMinute: JobsOptions = {
  deduplication: { id: 'housekeeping', ttl: 60_000 },
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
};

export interface SweepOptions {
  readonly relay: OutboxRelay;
  readonly database: Database;
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Relays the entries left in the outbox, and adds a housekeeping job every minute, an audit job every day, and another one when a
 * night was skipped. Its timer runs in the process, so an emptied Redis cannot stop it.
 */
export function startSweep({ relay, database, redis, prefix, now, logger }: SweepOptions): {
  close(): Promise<void>;
} {
  const maintenance = openQueue(maintenanceQueue, { redis, prefix });
  const skippedNights = createSkippedNights({ database, logger, now });
  let closed = false;
  let relayAll = true;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  // A Redis that comes back may have lost its jobs, so all undone entries are relayed again. Derived job ids make it safe.
  const losses = onPossibleLoss(redis, () => {
    relayAll = true;
  });

  async function sweepOnce(): Promise<void> {
    if (redis.status !== 'ready') return;
    const all = relayAll;
    relayAll = false;
    const relayed = await relay.sweep({ all });
    if (relayed > 0) logger.info({ entries: relayed }, 'outbox entries relayed');
    await addMaintenance();
  }

  /** Of those that wait while another job runs for more than a minute, one is enough. */
  async function addHousekeeping(): Promise<void> {
    const jobs: (Job | undefined)[] = await maintenance.getJobs(['waiting', 'active']);
    if (!jobs.some((job) => job?.name === 'housekeeping')) await maintenance.add('housekeeping', {}, onceAMinute);
  }

  async function addMaintenance(): Promise<void> {
    await addHousekeeping();
    const { jobId, delayMs } = nextAudit(now());
    await maintenance.add('audit', {}, { jobId, delay: delayMs, ...auditTries });
    const lateJobId = await skippedNights.jobOfLateAudit();
    if (lateJobId !== undefined) await maintenance.add('audit', {}, { jobId: lateJobId, ...auditTries });
  }

  function next(): void {
    if (closed) return;
    current = sweepOnce()
      .catch((error) => {
        relayAll = true;
        logger.warn({ reason: String(error) }, 'sweep failed: trying again');
      })
      .finally(() => {
        timer = setTimeout(next, SWEEP_EVERY_MS);
      });
  }
  next();

  return {
    async close() {
      closed = true;
      await current;
      clearTimeout(timer);
      losses.stop();
      await closeAll(redis, [maintenance]);
    },
  };
}
