import type { Job } from 'bullmq';
import { previewJob, previewQueue } from '#jobs/queues.js';
import { quotas } from '#platform/quotas/quotas.js';
import type { MakePreview, PreviewResult } from '#previews/make-preview.js';
import { type OutboxWorkerContext, type QueueWorker, startOutboxWorker, toBackOfQueue } from './queue-worker.js';
import type { InTurnOfAccount } from './turns-of-accounts.js';

export const PREVIEWS_AT_ONCE = quotas['preview-runs'].whole;

export interface PreviewWorkerOptions extends OutboxWorkerContext {
  readonly makePreview: MakePreview;
  readonly inTurn: InTurnOfAccount;
}

/** A preview is computed in one run, because all of it is of one snapshot. Between batches, other jobs have their turn. */
export function startPreviewWorker({ makePreview, inTurn, ...options }: PreviewWorkerOptions): QueueWorker {
  async function process(job: Job, token: string | undefined): Promise<PreviewResult> {
    const { accountId, outboxId: entryId, previewId: id } = previewJob.parse(job.data);
    const turn = { quota: 'preview-runs', accountId, job, token } as const;
    const result = await inTurn(turn, () => makePreview({ accountId, id, entryId }));
    return result.state === 'stopped' ? toBackOfQueue(job, token) : result;
  }
  return startOutboxWorker({ ...options, queue: previewQueue, concurrency: PREVIEWS_AT_ONCE, process });
}
