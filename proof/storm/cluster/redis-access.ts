import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { maintenanceQueue, type OutboxJob, queueDefinitions } from '#jobs/queues.js';

/** The storm's own way to Redis, past all proxies. */
export interface RedisAccess {
  /** A job that any worker may take, and that harms nobody: its account, if it needs one, does not exist. */
  addJob(queue: string): Promise<unknown>;
  /** Queues, locks, counters: all forgotten. */
  empty(): Promise<void>;
  close(): void;
}

const PREFIX = 'ledger';
const RECONNECT_MS = 100;
/** Above all that there are; a new one for each job, so that none has to wait for another one's lock. */
const FIRST_UNKNOWN_ACCOUNT = 1_000_000_000_000;

export function openRedisAccess(url: string): RedisAccess {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
  });
  redis.on('error', () => undefined); // it is killed on purpose
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
      const ofNobody = { accountId: String(account), outboxId: '1', wagerId: '1' } satisfies OutboxJob & {
        wagerId: string;
      };
      const isOutboxJob = name !== maintenanceQueue.name;
      const options = { removeOnComplete: true, removeOnFail: true };
      await queues.get(name)?.add(isOutboxJob ? 'nothing' : 'housekeeping', isOutboxJob ? ofNobody : {}, options);
    },
    async empty() {
      const own = new Redis(url);
      await own.flushall();
      own.disconnect();
    },
    close: () => redis.disconnect(),
  };
}
