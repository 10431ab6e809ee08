import type { Job, Worker } from 'bullmq';
import type { Metrics } from '#platform/metrics/metrics.js';

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts how the jobs of these workers end, and how long an attempt takes. */
export function addJobMetrics({ histogram }: Metrics, workers: readonly Worker[]): void {
  const durations = histogram({
    name: 'ledger_job_duration_seconds',
    help: 'One try of a job, by its queue and how it ended',
    labelNames: ['queue', 'end'],
    buckets: BUCKETS_SECONDS,
  });
  for (const worker of workers) {
    const ended = (end: string) => (job: Job | undefined) => {
      // A failed attempt that BullMQ retries sets no end time on the job.
      if (job?.processedOn !== undefined) {
        durations.observe({ queue: worker.name, end }, Math.max(0, Date.now() - job.processedOn) / 1_000);
      }
    };
    worker.on('completed', ended('completed'));
    worker.on('failed', ended('failed'));
  }
}
