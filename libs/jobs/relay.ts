import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { closeAll } from './closing.js';
import {
  claimLeftEntries,
  type LeftEntry,
  markFailed,
  markRelayed,
  markUnrelayed,
  type OutboxEntry,
  type RelaySoon,
  topicQueues,
} from './outbox.js';
import { type OutboxJob, outboxJobId, queueDefinitions } from './queues.js';

const SWEEP_LIMIT = 500;
const UNRELAYED_FOR_MS = 2_000;
const LOST_AFTER_MS = 30_000;

export interface OutboxRelay {
  readonly relaySoon: RelaySoon;
  /** Relays what was left, and returns how many entries. `all` takes everything undone: Redis may have forgotten it. */
  sweep(options?: { all: boolean }): Promise<number>;
  close(): Promise<void>;
}

export interface OutboxRelayOptions {
  readonly database: Database;
  readonly redis: Redis;
  readonly prefix: string;
  readonly logger: Logger;
}

const relayedQueues = new Set<string>(Object.values(topicQueues));

/**
 * BullMQ ignores a job that it has among the ended ones, so the sweep would relay its entry for ever. A failure is
 * written down that the worker could not, because the database was away just then. A success that the database does not
 * know, because it was restored to an earlier moment, is done again.
 */
async function reconcileEnded(database: Database, queues: ReadonlyMap<string, Queue>, entries: readonly LeftEntry[]) {
  for (const entry of entries.filter(({ relayedBefore }) => relayedBefore)) {
    const job = await queues.get(topicQueues[entry.topic])?.getJob(outboxJobId(entry));
    const state = await job?.getState();
    if (state === 'failed') await markFailed(database, entry, job?.failedReason ?? 'unknown');
    if (state === 'completed') await job?.remove();
  }
}

/** Carries outbox entries into BullMQ. Job ids derive from the entry: relayed twice, it is still one job. */
export function createOutboxRelay({ database, redis, prefix, logger }: OutboxRelayOptions): OutboxRelay {
  const queues = new Map(
    queueDefinitions
      .filter(({ name }) => relayedQueues.has(name))
      .map(({ name, options }) => {
        const queue = new Queue<OutboxJob>(name, { connection: redis, prefix, defaultJobOptions: options });
        // Outages are logged by the connection itself.
        queue.on('error', () => undefined);
        return [name, queue];
      }),
  );
  const inFlight = new Set<Promise<void>>();

  async function enqueue(entries: readonly OutboxEntry[]): Promise<void> {
    for (const [name, queue] of queues) {
      const jobs = entries
        .filter(({ topic }) => topicQueues[topic] === name)
        .map((entry) => ({
          name: entry.topic,
          data: { accountId: String(entry.accountId), outboxId: String(entry.id), ...entry.payload },
          opts: { jobId: outboxJobId(entry) },
        }));
      if (jobs.length > 0) await queue.addBulk(jobs as Parameters<typeof queue.addBulk>[0]);
    }
  }

  async function relay(entries: readonly OutboxEntry[]): Promise<void> {
    // Without a connection BullMQ would wait for one; the sweep is there for that.
    if (redis.status !== 'ready') return;
    try {
      await enqueue(entries);
      await markRelayed(database, entries);
    } catch (error) {
      logger.warn({ reason: String(error), entries: entries.length }, 'outbox entries are left to the sweep');
    }
  }

  return {
    relaySoon(entries) {
      const work: Promise<void> = relay(entries).finally(() => inFlight.delete(work));
      inFlight.add(work);
    },
    async sweep({ all } = { all: false }) {
      if (redis.status !== 'ready') return 0;
      const entries = await claimLeftEntries(database, {
        limit: SWEEP_LIMIT,
        unrelayedForMs: all ? 0 : UNRELAYED_FOR_MS,
        relayedForMs: all ? 0 : LOST_AFTER_MS,
        failedToo: all,
      });
      if (entries.length === 0) return 0;
      try {
        await reconcileEnded(database, queues, entries);
        await enqueue(entries);
      } catch (error) {
        await markUnrelayed(database, entries);
        throw error;
      }
      return entries.length;
    },
    async close() {
      await Promise.all(inFlight);
      await closeAll(redis, queues.values());
    },
  };
}
