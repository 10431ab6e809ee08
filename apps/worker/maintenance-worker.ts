import { Worker } from 'bullmq';
import type { Housekept } from '#maintenance/housekeeping.js';
import { maintenanceQueue } from '#queues/queues.js';
import { type QueueWorkerOptions, workerOptions } from './worker-options.js';

export interface MaintenanceWorkerOptions extends QueueWorkerOptions {
  readonly work: () => Promise<Housekept>;
}

export function startMaintenanceWorker(options: MaintenanceWorkerOptions): Worker {
  const { work, logger } = options;
  const worker = new Worker(maintenanceQueue.name, () => work(), workerOptions(options, 1));
  worker.on('completed', (job) => logger.info({ job: job.id, result: job.returnvalue }, 'housekeeping done'));
  worker.on('failed', (job, error) => logger.error({ job: job?.id, reason: error.message }, 'housekeeping failed'));
  worker.on('error', (error) => logger.debug({ reason: error.message }, 'maintenance worker'));
  return worker;
}
