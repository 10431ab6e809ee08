import { DelayedError, type Job } from 'bullmq';

/** The delay while another job works for the account: about the time of one chunk. */
export const ACCOUNT_BUSY_DELAY_MS = 50;

/**
 * Ends this run of a job and puts it behind all waiting jobs. It becomes a delayed job, because BullMQ puts a due delayed
 * job at the end of the queue, but a job that returns to waiting at the front.
 */
export async function toBackOfQueue(job: Job, token: string | undefined, delayMs = 0): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}
