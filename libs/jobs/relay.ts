import type { Queue } from 'bullmq';
import type { AccountTables, Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import type { RedisClient } from '#platform/redis/redis.js';
import { closeAll } from './closing.js';
import {
  claimLeftEntries,
  isMail,
  type LeftEntry,
  markFailed,
  markRelayed,
  markUnrelayed,
  type OutboxEntry,
  type RelaySoon,
  topicQueues,
} from './outbox.js';
import { type OutboxJob, openQueue, outboxJobId, queueDefinitions } from './queues.js';

const SWEEP_LIMIT = 500;
/** Leaves a new entry to the process that wrote it. */
const UNRELAYED_FOR_MS = 2_000;
const LOST_AFTER_MS = 30_000;

export interface OutboxRelay {
  readonly relaySoon: RelaySoon;
  /** Relays entries that were left and returns their number. `all` takes all undone entries: Redis may have lost jobs. */
  sweep(options?: { all: boolean }): Promise<number>;
  close(): Promise<void>;
}

export interface OutboxRelayOptions {
  readonly database: Database;
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly logger: Logger;
}

const relayedNames = new Set<string>(Object.values(topicQueues));
const definitions = queueDefinitions.filter(({ name }) => relayedNames.has(name));

/** By name, the queues that entries go to. */
type RelayedQueues = ReadonlyMap<string, Queue<OutboxJob>>;

async function enqueue(queues: RelayedQueues, entries: readonly OutboxEntry[]): Promise<void> {
  for (const [name, queue] of queues) {
    const jobs = entries
      .filter(({ topic }) => topicQueues[topic] === name)
      .map((entry) => ({
        name: entry.topic,
        data: { accountId: String(entry.accountId), outboxId: String(entry.id), ...entry.payload },
        opts: { jobId: outboxJobId(entry) },
      }));
    if (jobs.length === 0) continue;
    await queue.addBulk(jobs as Parameters<typeof queue.addBulk>[0]);
  }
}

/**
 * BullMQ ignores a job whose id is among its ended jobs, so the sweep would relay that entry for ever. Of a mail, the sweep
 * stores the failure that the worker could not store because the database was away. It removes a completed job whose
 * entry is undone, so that the work is done again: the database was restored to an earlier moment. And it removes a failed
 * job of ledger work, which must not end: BullMQ itself ends a job that stalls again and again.
 */
async function reconcileEnded(tables: AccountTables, queues: RelayedQueues, entries: readonly LeftEntry[]) {
  for (const entry of entries.filter(({ relayedBefore }) => relayedBefore)) {
    const job = await queues.get(topicQueues[entry.topic])?.getJob(outboxJobId(entry));
    const hasFailed = await job?.isFailed();
    if (hasFailed && isMail(entry.topic)) await markFailed(tables, entry, job?.failedReason ?? 'unknown');
    else if (hasFailed || (await job?.isCompleted())) await job?.remove();
  }
}

/** Adds outbox entries to BullMQ as jobs. A job id derives from its entry, so an entry relayed twice is still one job. */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { database, redis, logger } = options;
  const queues: RelayedQueues = new Map(
    definitions.map((definition) => [definition.name, openQueue<OutboxJob>(definition, options)]),
  );
  const inFlight = new Set<Promise<void>>();

  async function relay(entries: readonly OutboxEntry[]): Promise<void> {
    // Without a connection BullMQ would wait for one; the sweep relays these entries later.
    if (redis.status !== 'ready') return;
    try {
      await enqueue(queues, entries);
      await markRelayed(database, entries);
    } catch (error) {
      logger.warn({ reason: String(error), entries: entries.length }, 'outbox entries are left to the sweep');
    }
  }

  async function sweepTables(tables: AccountTables, all: boolean): Promise<number> {
    const entries = await claimLeftEntries(tables, {
      limit: SWEEP_LIMIT,
      unrelayedForMs: all ? 0 : UNRELAYED_FOR_MS,
      relayedForMs: all ? 0 : LOST_AFTER_MS,
    });
    if (entries.length === 0) return 0;
    try {
      await reconcileEnded(tables, queues, entries);
      await enqueue(queues, entries);
    } catch (error) {
      await markUnrelayed(database, entries);
      throw error;
    }
    return entries.length;
  }

  return {
    relaySoon(entries) {
      const work: Promise<void> = relay(entries).finally(() => inFlight.delete(work));
      inFlight.add(work);
    },
    async sweep({ all } = { all: false }) {
      if (redis.status !== 'ready') return 0;
      const relayed = await database.inAll((tables) => sweepTables(tables, all), logger);
      return relayed.reduce((sum, count) => sum + count, 0);
    },
    async close() {
      await Promise.all(inFlight);
      await closeAll(redis, queues.values());
    },
  };
}
