import { DelayedError, type Job } from 'bullmq';

/** Another job of the account is at work: about as long as its chunk takes. */
export const ACCOUNT_BUSY_DELAY_MS = 50;

/**
 * Ends this run of a job and puts it behind all that wait. By way of the delayed jobs: those are put at the end when
 * their time has come, whereas BullMQ would put one that just goes back to waiting at the front.
 */
export async function toBackOfQueue(job: Job, token: string | undefined, delayMs = 0): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}
