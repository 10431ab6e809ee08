import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { nextAudit } from '#audit/daily-audit.js';
import { closeAll } from '#jobs/closing.js';
import { maintenanceQueue } from '#jobs/queues.js';
import type { OutboxRelay } from '#jobs/relay.js';
import type { Logger } from '#platform/logging/logger.js';

const SWEEP_EVERY_MS = 2_000;

export interface SweepOptions {
  readonly relay: OutboxRelay;
  readonly redis: Redis;
  readonly prefix: string;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * The worker's own clock: relays what was left in the outbox, asks for housekeeping once an hour and for an audit once a
 * day. It lives in the process, not in Redis, so an emptied Redis cannot stop it.
 */
export function startSweep({ relay, redis, prefix, now, logger }: SweepOptions): { close(): Promise<void> } {
  const maintenance = new Queue(maintenanceQueue.name, {
    connection: redis,
    prefix,
    defaultJobOptions: maintenanceQueue.options,
  });
  maintenance.on('error', (error) => logger.debug({ reason: error.message }, 'maintenance queue'));
  let closed = false;
  let everything = true;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  // A Redis that comes back may have lost its jobs: hand everything undone to it again. Derived job ids make it safe.
  const onReady = () => {
    everything = true;
  };
  redis.on('ready', onReady);

  async function sweepOnce(): Promise<void> {
    if (redis.status !== 'ready') return;
    const hour = now().toISOString().slice(0, 13);
    await maintenance.add('housekeeping', {}, { jobId: `housekeeping-${hour}` });
    const { jobId, delayMs } = nextAudit(now());
    // Once: a second look at the same books would find the same.
    await maintenance.add('audit', {}, { jobId, delay: delayMs, attempts: 1 });
    const all = everything;
    everything = false;
    const relayed = await relay.sweep({ all });
    if (relayed > 0) logger.info({ entries: relayed }, 'outbox entries relayed');
  }

  function next(): void {
    if (closed) return;
    current = sweepOnce()
      .catch((error) => {
        everything = true;
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
      redis.off('ready', onReady);
      await closeAll(redis, [maintenance]);
    },
  };
}
