import type { Metrics } from '#platform/metrics/metrics.js';
import { withScrapeTimeout } from '#platform/metrics/scrape-timeout.js';
import { closeAll } from '../closing.js';
import { openQueue, type QueueOptions, queueDefinitions } from '../queues.js';

/** The states that providers see, and BullMQ's states behind each. */
const states = {
  waiting: ['wait', 'prioritized'],
  active: ['active'],
  delayed: ['delayed'],
  failed: ['failed'],
} as const;

const asked = Object.values(states).flat();

/** The number of jobs in every queue, read from Redis at each scrape. While Redis is away the gauge is empty. */
export function addQueueMetrics({ gauge, beforeScrape }: Metrics, options: QueueOptions): { close(): Promise<void> } {
  const { redis } = options;
  const jobs = gauge({
    name: 'ledger_queue_jobs',
    help: 'Jobs in a queue, by state; the same from every worker, for they share the queues',
    labelNames: ['queue', 'state'],
  });
  const queues = queueDefinitions.map((definition) => openQueue(definition, options));
  const readAll = () => Promise.all(queues.map((queue) => queue.getJobCounts(...asked)));

  beforeScrape(async () => {
    const counts = redis.status === 'ready' ? await withScrapeTimeout(readAll) : undefined;
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
