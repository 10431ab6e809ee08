import { UnrecoverableError } from 'bullmq';
import { type AuditSummary, BooksDiffer } from '#audit/daily-audit.js';
import { type MaintenanceJob, maintenanceQueue } from '#jobs/queues.js';
import { isDatabaseAway } from '#platform/database/errors.js';
import type { HousekeepingSummary } from './housekeeping.js';
import { QueueWorker, type QueueWorkerOptions, workerOptions } from './queue-worker.js';

/** The work of each job, by the job's name. */
interface MaintenanceWork extends Record<MaintenanceJob, () => Promise<unknown>> {
  readonly housekeeping: () => Promise<HousekeepingSummary>;
  readonly audit: () => Promise<AuditSummary>;
}

export interface MaintenanceWorkerOptions extends QueueWorkerOptions {
  readonly work: MaintenanceWork;
}

/** An audit that found differences is not tried again; one that could not run is. */
async function auditOnce(audit: MaintenanceWork['audit']): Promise<AuditSummary> {
  try {
    return await audit();
  } catch (error) {
    throw error instanceof BooksDiffer ? new UnrecoverableError(error.message) : error;
  }
}

export function startMaintenanceWorker(options: MaintenanceWorkerOptions): QueueWorker {
  const { work, logger } = options;
  const worker = new QueueWorker(
    maintenanceQueue.name,
    ({ name }) => (name === 'audit' ? auditOnce(work.audit) : work.housekeeping()),
    workerOptions(options, maintenanceQueue, 1),
  );
  worker.on('completed', (job) => logger.info({ job: job.id, result: job.returnvalue }, `${job.name} done`));
  worker.on('failed', (job, error) => {
    const line = { job: job?.id, reason: error.message };
    logger[isDatabaseAway(error) ? 'warn' : 'error'](line, `${job?.name ?? 'maintenance'} failed`);
  });
  worker.on('error', (error) => logger.debug({ reason: error.message }, 'maintenance worker'));
  return worker;
}
