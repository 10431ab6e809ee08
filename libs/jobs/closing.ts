import type { RedisClient } from '#platform/redis/redis.js';

interface QueuePart {
  /** With `force`, a worker does not wait for its running jobs. */
  close(force?: boolean): Promise<void>;
}

const WITHOUT_REDIS_MS = 500;

/**
 * Closes queues, and workers after their running jobs. With Redis away BullMQ would wait for it for ever, so this gives
 * up after a moment: the jobs' locks expire, and another worker takes the jobs.
 */
export async function closeAll(redis: RedisClient, parts: Iterable<QueuePart>): Promise<void> {
  const connected = redis.status === 'ready';
  const closing = Promise.all([...parts].map((part) => part.close(!connected)));
  if (connected) return void (await closing);
  const patience = new Promise((resolve) => setTimeout(resolve, WITHOUT_REDIS_MS));
  await Promise.race([closing.catch(() => undefined), patience]);
}

/** Resolves when the work is done, or after this time: a silent connection must not hold up the end of a process. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
