import type { Job } from 'bullmq';
import type { MakeExport, MakeResult } from '#exports/make-export.js';
import { exportJob, exportQueue } from '#jobs/queues.js';
import type { Logger } from '#platform/logging/logger.js';
import { quotas } from '#platform/quotas/quotas.js';
import { type OutboxWorkerContext, type QueueWorker, startOutboxWorker, toBackOfQueue } from './queue-worker.js';
import type { InTurnOfAccount } from './turns-of-accounts.js';

export const EXPORTS_AT_ONCE = quotas['export-runs'].whole;
/** The delay while the account has as many running exports as it may. */
const BUSY_DELAY_MS = 500;

export interface ExportWorkerOptions extends OutboxWorkerContext {
  readonly makeExport: MakeExport;
  readonly inTurn: InTurnOfAccount;
}

/** An export is made in one run, because all of it is of one snapshot. Between batches, other jobs have their turn. */
export function startExportWorker({ makeExport, inTurn, ...options }: ExportWorkerOptions): QueueWorker {
  async function process(job: Job, token: string | undefined): Promise<MakeResult> {
    const { accountId, outboxId: entryId, exportId: id } = exportJob.parse(job.data);
    const onProgress = showProgress(job, options.logger);
    const turn = { quota: 'export-runs', accountId, job, token } as const;
    const result = await inTurn(turn, () => makeExport({ accountId, id, entryId, onProgress }));
    if (result.state === 'busy') return toBackOfQueue(job, token, BUSY_DELAY_MS);
    if (result.state === 'stopped') return toBackOfQueue(job, token);
    return result;
  }
  return startOutboxWorker({ ...options, queue: exportQueue, concurrency: EXPORTS_AT_ONCE, process });
}

/** For readers of Bull Board. An export does not wait for Redis, nor end with it. */
function showProgress(job: Job, logger: Logger): (percent: number) => void {
  let shown = 0;
  return (percent) => {
    if (percent === shown) return;
    shown = percent;
    job
      .updateProgress(percent)
      .catch((error) => logger.debug({ job: job.id, reason: String(error) }, 'progress of an export is not shown'));
  };
}
