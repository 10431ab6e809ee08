import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueDefinition } from '#jobs/queues.js';

const POLL_MS = 5;
const WITHIN_MS = 120_000;

/** A queue that is paused while it is filled. */
export interface Backlog {
  readonly queue: Queue;
  close(): Promise<void>;
}

export interface BacklogOptions {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly queue: QueueDefinition;
}

export function openBacklog({ redisUrl, prefix, queue: { name, options } }: BacklogOptions): Backlog {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue(name, { connection, prefix, defaultJobOptions: options });
  for (const one of [connection, queue]) one.on('error', () => undefined); // Redis stops first when the user stops the bench
  return {
    queue,
    async close() {
      await queue.close();
      connection.disconnect();
    },
  };
}

/** Fills the queue and resumes it; returns the time until it is empty. */
export async function drainMs({ queue }: Backlog, count: number, fill: () => Promise<void>): Promise<number> {
  await queue.pause();
  await fill();
  await untilCount(queue, ['waiting'], count);
  const since = performance.now();
  await queue.resume();
  await untilCount(queue, ['waiting', 'active', 'delayed'], 0);
  return performance.now() - since;
}

type States = Parameters<Queue['getJobCountByTypes']>;

async function untilCount(queue: Queue, states: States, count: number): Promise<void> {
  const until = performance.now() + WITHIN_MS;
  while ((await queue.getJobCountByTypes(...states)) !== count) {
    if (performance.now() > until) throw new Error(`The jobs of ${queue.name} do not come to ${count} in time.`);
    await sleep(POLL_MS);
  }
}
