import type { Redis } from 'ioredis';

interface QueuePart {
  /** Workers take `force`: do not wait for the jobs in hand. */
  close(force?: boolean): Promise<void>;
}

const WITHOUT_REDIS_MS = 500;

/**
 * Closes queues, or workers with the jobs in hand. With Redis gone BullMQ would wait for it for ever to say good-bye;
 * then the jobs' locks run out instead, and another worker takes them up.
 */
export async function closeAll(redis: Redis, parts: Iterable<QueuePart>): Promise<void> {
  const connected = redis.status === 'ready';
  const closing = Promise.all([...parts].map((part) => part.close(!connected)));
  if (connected) return void (await closing);
  const patience = new Promise((resolve) => setTimeout(resolve, WITHOUT_REDIS_MS));
  await Promise.race([closing.catch(() => undefined), patience]);
}
