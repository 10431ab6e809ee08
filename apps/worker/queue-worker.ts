import { type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import type { RunningJob } from '#jobs/heartbeats.js';

/**
 * A blocking read for the next job. BullMQ resets a connection that has not answered a second after that, so this is also
 * how long a silent connection to Redis stays unnoticed.
 */
const BLOCK_SECONDS = 3;
/** After a connection error. */
const RETRY_MS = 1_000;

const runningJob = ({ queueName: queue, name, data }: Job): RunningJob => ({
  queue,
  name,
  startedMs: performance.now(),
  ...(typeof data?.accountId === 'string' && { accountId: data.accountId }),
  ...(typeof data?.wagerId === 'string' && { wagerId: data.wagerId }),
});

/** BullMQ's worker, which otherwise blocks for ten seconds while a delayed job waits. It knows the jobs that it runs. */
export class QueueWorker extends Worker {
  readonly #running: Set<RunningJob>;

  constructor(name: string, process: Processor, options: WorkerOptions) {
    const running = new Set<RunningJob>();
    const noted: Processor = async (job, token) => {
      const one = runningJob(job);
      running.add(one);
      try {
        return await process(job, token);
      } finally {
        running.delete(one);
      }
    };
    super(name, noted, { ...options, drainDelay: BLOCK_SECONDS, runRetryDelay: RETRY_MS });
    this.#running = running;
  }

  runningJobs(): readonly RunningJob[] {
    return [...this.#running];
  }

  protected override getBlockTimeout(blockUntil: number): number {
    return Math.min(super.getBlockTimeout(blockUntil), BLOCK_SECONDS);
  }
}
