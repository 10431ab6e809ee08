import { Worker, type WorkerOptions } from 'bullmq';

/**
 * A blocking read for the next job. BullMQ resets a connection that has not answered a second after that, so this is also
 * how long a silent connection to Redis stays unnoticed.
 */
const BLOCK_SECONDS = 3;
/** After a connection error. */
const RETRY_MS = 1_000;

/** BullMQ's worker, which otherwise blocks for ten seconds while a delayed job waits. */
export class QueueWorker extends Worker {
  constructor(name: string, process: Worker['processFn'], options: WorkerOptions) {
    super(name, process, { ...options, drainDelay: BLOCK_SECONDS, runRetryDelay: RETRY_MS });
  }

  protected override getBlockTimeout(blockUntil: number): number {
    return Math.min(super.getBlockTimeout(blockUntil), BLOCK_SECONDS);
  }
}
