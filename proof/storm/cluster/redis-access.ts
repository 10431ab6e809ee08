import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { maintenanceQueue, type OutboxJob, queueDefinitions } from '#jobs/queues.js';

/** The storm's own connection to Redis, without a proxy. */
export interface RedisAccess {
  /** Adds a job without effect that any worker may take: its account does not exist. */
  addJob(queue: string): Promise<unknown>;
  /** Deletes all queues, locks and counters. */
  empty(): Promise<void>;
  close(): void;
}

const PREFIX = 'ledger';
const RECONNECT_MS = 100;
/** Above all real ids. Each job gets a new one, so that no job waits for another's lock. */
const FIRST_UNKNOWN_ACCOUNT = 1_000_000_000_000;

export function openRedisAccess(url: string): RedisAccess {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
  });
  redis.on('error', () => undefined); // faults kill it
  const queues = new Map(
    queueDefinitions.map(({ name }) => {
      const queue = new Queue(name, { connection: redis, prefix: PREFIX });
      queue.on('error', () => undefined);
      return [name, queue] as const;
    }),
  );
  let account = FIRST_UNKNOWN_ACCOUNT;
  return {
    async addJob(name) {
      account += 1;
      const ids = { outboxId: '1', wagerId: '1', exportId: '1', previewId: '1', endpointId: '1' };
      const noSandbox = { sandboxId: String(account), isGone: true };
      const unknownAccount: OutboxJob = { accountId: String(account), ...ids, ...noSandbox };
      const isOutboxJob = name !== maintenanceQueue.name;
      const options = { removeOnComplete: true, removeOnFail: true };
      await queues.get(name)?.add(isOutboxJob ? 'nothing' : 'housekeeping', isOutboxJob ? unknownAccount : {}, options);
    },
    async empty() {
      const own = new Redis(url);
      await own.flushall();
      own.disconnect();
    },
    close: () => redis.disconnect(),
  };
}
