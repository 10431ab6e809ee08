import { Queue } from 'bullmq';
import type { Database } from '#platform/database/database.js';
import { inAllPlacements } from '#platform/database/placement.js';
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
import { type OutboxJob, outboxJobId, type QueueDefinition, queueDefinitions, queuePrefix } from './queues.js';

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

/** The queues that entries go to. */
class RelayedQueues {
  readonly #open = new Map<string, Queue<OutboxJob>>();

  constructor(private readonly options: OutboxRelayOptions) {
    for (const definition of definitions) this.#openQueue(definition);
  }

  /** BullMQ refuses a queue for ever when Redis did not answer while it was opened: then this opens it again. */
  async ready(name: string): Promise<Queue<OutboxJob>> {
    const queue = this.#open.get(name) as Queue<OutboxJob>;
    const isOpen = await queue.waitUntilReady().then(
      () => true,
      () => false,
    );
    if (isOpen) return queue;
    if (this.#open.get(name) === queue) {
      void queue.close().catch(() => undefined);
      this.#openQueue(definitions.find((definition) => definition.name === name) as QueueDefinition);
    }
    const reopened = this.#open.get(name) as Queue<OutboxJob>;
    await reopened.waitUntilReady();
    return reopened;
  }

  all(): Queue<OutboxJob>[] {
    return [...this.#open.values()];
  }

  #openQueue({ name, options }: QueueDefinition): void {
    const { redis, prefix } = this.options;
    const settings = { prefix: queuePrefix(redis, prefix, name), defaultJobOptions: options };
    const queue = new Queue<OutboxJob>(name, { connection: redis, ...settings });
    // The connection itself logs outages.
    queue.on('error', () => undefined);
    this.#open.set(name, queue);
  }
}

async function enqueue(queues: RelayedQueues, entries: readonly OutboxEntry[]): Promise<void> {
  for (const { name } of definitions) {
    const jobs = entries
      .filter(({ topic }) => topicQueues[topic] === name)
      .map((entry) => ({
        name: entry.topic,
        data: { accountId: String(entry.accountId), outboxId: String(entry.id), ...entry.payload },
        opts: { jobId: outboxJobId(entry) },
      }));
    if (jobs.length === 0) continue;
    const queue = await queues.ready(name);
    await queue.addBulk(jobs as Parameters<typeof queue.addBulk>[0]);
  }
}

/**
 * BullMQ ignores a job whose id is among its ended jobs, so the sweep would relay that entry for ever. Of a mail, the sweep
 * stores the failure that the worker could not store because the database was away. It removes a completed job whose
 * entry is undone, so that the work is done again: the database was restored to an earlier moment. And it removes a failed
 * job of ledger work, which must not end: BullMQ itself ends a job that stalls again and again.
 */
async function reconcileEnded(database: Database, queues: RelayedQueues, entries: readonly LeftEntry[]) {
  for (const entry of entries.filter(({ relayedBefore }) => relayedBefore)) {
    const queue = await queues.ready(topicQueues[entry.topic]);
    const job = await queue.getJob(outboxJobId(entry));
    const state = await job?.getState();
    if (state === 'failed' && isMail(entry.topic)) await markFailed(database, entry, job?.failedReason ?? 'unknown');
    else if (state === 'failed' || state === 'completed') await job?.remove();
  }
}

/** Adds outbox entries to BullMQ as jobs. A job id derives from its entry, so an entry relayed twice is still one job. */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { database, redis, logger } = options;
  const queues = new RelayedQueues(options);
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

  async function sweepPlacement(placement: Database, all: boolean): Promise<number> {
    const entries = await claimLeftEntries(placement, {
      limit: SWEEP_LIMIT,
      unrelayedForMs: all ? 0 : UNRELAYED_FOR_MS,
      relayedForMs: all ? 0 : LOST_AFTER_MS,
    });
    if (entries.length === 0) return 0;
    try {
      await reconcileEnded(placement, queues, entries);
      await enqueue(queues, entries);
    } catch (error) {
      await markUnrelayed(placement, entries);
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
      const relayed = await inAllPlacements(database, (placement) => sweepPlacement(placement, all), logger);
      return relayed.reduce((sum, count) => sum + count, 0);
    },
    async close() {
      await Promise.all(inFlight);
      await closeAll(redis, queues.all());
    },
  };
}
