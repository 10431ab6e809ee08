import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { nextAudit } from '#audit/daily-audit.js';
import { closeAll } from '#jobs/closing.js';
import { maintenanceQueue } from '#jobs/queues.js';
import type { OutboxRelay } from '#jobs/relay.js';
import type { Logger } from '#platform/logging/logger.js';

const SWEEP_EVERY_MS = 2_000;
/** One job a minute, however many workers add it. It leaves no trace in Redis: the log and the metrics have its result. */
const HOUSEKEEPING = {
  deduplication: { id: 'housekeeping', ttl: 60_000 },
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
} as const satisfies JobsOptions;

export interface SweepOptions {
  readonly relay: OutboxRelay;
  readonly redis: Redis;
  readonly prefix: string;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Relays the entries left in the outbox, and adds a housekeeping job every minute and an audit job every day. Its timer runs
 * in the process, so an emptied Redis cannot stop it.
 */
export function startSweep({ relay, redis, prefix, now, logger }: SweepOptions): { close(): Promise<void> } {
  const maintenance = new Queue(maintenanceQueue.name, {
    connection: redis,
    prefix,
    defaultJobOptions: maintenanceQueue.options,
  });
  maintenance.on('error', (error) => logger.debug({ reason: error.message }, 'maintenance queue'));
  let closed = false;
  let relayAll = true;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  // A Redis that comes back may have lost its jobs, so all undone entries are relayed again. Derived job ids make it safe.
  const onReady = () => {
    relayAll = true;
  };
  redis.on('ready', onReady);

  async function sweepOnce(): Promise<void> {
    if (redis.status !== 'ready') return;
    await maintenance.add('housekeeping', {}, HOUSEKEEPING);
    const { jobId, delayMs } = nextAudit(now());
    // One attempt: a second audit of the same books would find the same.
    await maintenance.add('audit', {}, { jobId, delay: delayMs, attempts: 1 });
    const all = relayAll;
    relayAll = false;
    const relayed = await relay.sweep({ all });
    if (relayed > 0) logger.info({ entries: relayed }, 'outbox entries relayed');
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
      redis.off('ready', onReady);
      await closeAll(redis, [maintenance]);
    },
  };
}
