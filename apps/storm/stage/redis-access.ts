import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { maintenanceQueue } from '#queues/queues.js';

/** The storm's own way to Redis, past all links. */
export interface RedisAccess {
  /** A job that any worker may take, and that harms nobody. */
  addJob(): Promise<unknown>;
  /** Queues, locks, counters: all forgotten. */
  empty(): Promise<void>;
  close(): void;
}

const PREFIX = 'ledger';
const RECONNECT_MS = 100;

export function reachRedis(url: string): RedisAccess {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
  });
  redis.on('error', () => undefined); // it is killed on purpose
  const queue = new Queue(maintenanceQueue.name, { connection: redis, prefix: PREFIX });
  queue.on('error', () => undefined);
  return {
    addJob: () => queue.add('housekeeping', {}, { removeOnComplete: true, removeOnFail: true }),
    async empty() {
      const own = new Redis(url);
      await own.flushall();
      own.disconnect();
    },
    close: () => redis.disconnect(),
  };
}
