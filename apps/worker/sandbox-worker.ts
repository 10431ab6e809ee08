import type { Job } from 'bullmq';
import { deleteSandboxChunk } from '#accounts/sandboxes/delete-rows.js';
import { markDone, noteProgress } from '#jobs/outbox.js';
import { sandboxJob, sandboxQueue } from '#jobs/queues.js';
import { type OutboxWorkerContext, type QueueWorker, startOutboxWorker, toBackOfQueue } from './queue-worker.js';

/** A request that was under way when the deletion began has ended, and what is written after answers is written. */
const LAST_LOOK_AFTER_MS = 30_000;

/** Each run deletes a chunk of a sandbox. When its account is gone, one more run looks for rows that came late. */
export function startSandboxWorker(options: OutboxWorkerContext): QueueWorker {
  const { database } = options;
  async function process(job: Job, token: string | undefined, onProgress: () => Promise<void>): Promise<object> {
    const { accountId, outboxId: id, sandboxId, isGone = false } = sandboxJob.parse(job.data);
    const state = await deleteSandboxChunk(database, sandboxId);
    if (state === 'done' && isGone) {
      await markDone(database.of(accountId), { accountId, id });
      return { sandbox: String(sandboxId) };
    }
    await onProgress();
    await noteProgress(database.of(accountId), { accountId, id });
    if (state === 'done') await job.updateData({ ...job.data, isGone: true });
    return toBackOfQueue(job, token, state === 'done' ? LAST_LOOK_AFTER_MS : 0);
  }
  return startOutboxWorker({ ...options, queue: sandboxQueue, concurrency: 1, process });
}
