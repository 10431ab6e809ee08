import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { TestEnvironment } from './environment.js';

export interface TestQueue {
  readonly queue: Queue;
  close(): Promise<void>;
}

/** Opens a queue of the environment, as a provider would. */
export function openTestQueue({ redisUrl, redisPrefix }: TestEnvironment, name: string): TestQueue {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue(name, { connection: redis, prefix: redisPrefix });
  return {
    queue,
    async close() {
      await queue.close();
      redis.disconnect();
    },
  };
}
