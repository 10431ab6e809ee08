import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { Gauge } from 'prom-client';
import type { Metrics } from '#platform/metrics/metrics.js';
import { withinPatience } from '#platform/metrics/within.js';
import { closeAll } from '../closing.js';
import { queueDefinitions } from '../queues.js';

/** BullMQ's own states, by what they mean to an operator. */
const states = {
  waiting: ['wait', 'prioritized'],
  active: ['active'],
  delayed: ['delayed'],
  failed: ['failed'],
} as const;

const asked = Object.values(states).flat();

export interface QueueMetricsOptions {
  readonly redis: Redis;
  readonly prefix: string;
}

/** How many jobs every queue holds, asked of Redis when somebody looks. With Redis away nothing is said of them. */
export function addQueueMetrics(
  { registry, beforeScrape }: Metrics,
  { redis, prefix }: QueueMetricsOptions,
): { close(): Promise<void> } {
  const jobs = new Gauge({
    name: 'ledger_queue_jobs',
    help: 'Jobs in a queue, by state; the same from every worker, for they share the queues',
    labelNames: ['queue', 'state'],
    registers: [registry],
  });
  const queues = queueDefinitions.map(({ name }) => {
    const queue = new Queue(name, { connection: redis, prefix });
    // Outages are logged by the connection itself.
    queue.on('error', () => undefined);
    return queue;
  });
  const readAll = () => Promise.all(queues.map((queue) => queue.getJobCounts(...asked)));

  beforeScrape(async () => {
    const counts = redis.status === 'ready' ? await withinPatience(readAll) : undefined;
    jobs.reset();
    for (const [index, { name: queue }] of queues.entries()) {
      const ofQueue = counts?.[index];
      if (ofQueue === undefined) continue;
      for (const [state, parts] of Object.entries(states)) {
        jobs.set(
          { queue, state },
          parts.reduce((sum, part) => sum + (ofQueue[part] ?? 0), 0),
        );
      }
    }
  });
  return { close: () => closeAll(redis, queues) };
}
