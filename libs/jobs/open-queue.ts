import { Queue } from 'bullmq';
import type { RedisClient } from '#platform/redis/redis.js';
import { type QueueDefinition, queuePrefix } from './queues.js';

export interface QueueOptions {
  /** A connection for requests. It logs outages itself. */
  readonly redis: RedisClient;
  readonly prefix: string;
}

/**
 * A queue to add jobs to or to count them. BullMQ would ask Redis for its version first, and refuse the queue for ever when
 * the answer came too late. The process checks that version itself at its start.
 */
export function openQueue<Data = unknown>(
  { name, options }: QueueDefinition,
  { redis, prefix }: QueueOptions,
): Queue<Data> {
  const queue = new Queue<Data>(name, {
    connection: redis,
    prefix: queuePrefix(redis, prefix, name),
    defaultJobOptions: options,
    skipVersionCheck: true,
  });
  queue.on('error', () => undefined);
  return queue;
}
