import { createPasswords } from '#accounts/access/passwords.js';
import { createMailWork } from '#accounts/mail/mail-work.js';
import { createMailer } from '#accounts/mail/mailer.js';
import { createDailyAudit } from '#audit/daily-audit.js';
import { createPortfolioCheck } from '#audit/portfolio-check.js';
import { createPartMetrics } from '#http/metrics/part-metrics.js';
import { createAccountLocks } from '#jobs/account-lock.js';
import { closeAll } from '#jobs/closing.js';
import { createOutboxRelay } from '#jobs/relay.js';
import { createCancellation } from '#ledger/cancellation.js';
import { addLedgerMetrics, observeWork } from '#ledger/ledger-metrics.js';
import { createSettlement } from '#ledger/settlement.js';
import { createUnitOfWork } from '#ledger/unit-of-work.js';
import type { Config } from '#platform/config/config.js';
import type { Logger } from '#platform/logging/logger.js';
import { openClients } from '#platform/process/clients.js';
import type { Running } from '#platform/process/run-process.js';
import { connectForWorkers } from '#platform/redis/redis.js';
import { startCancellationWorker } from './cancellation-worker.js';
import { createHousekeeping } from './housekeeping.js';
import { startMailWorker } from './mail-worker.js';
import { startMaintenanceWorker } from './maintenance-worker.js';
import { startPortfolioWorker } from './portfolio-worker.js';
import { startSettlementWorker } from './settlement-worker.js';
import { startSweep } from './sweep.js';
import { serveWorkerMetrics } from './worker-metrics.js';

export interface RunningWorker extends Running {
  /** Undefined when no metrics are served. */
  readonly metricsPort: number | undefined;
}

/** Config -> clients -> workers. Any number of worker processes may run: correctness depends on the rows alone. */
export async function startWorker(
  config: Config,
  logger: Logger,
  fail: (error: unknown) => void,
): Promise<RunningWorker> {
  const { database, redis } = await openClients(config, logger, fail);
  const workerRedis = connectForWorkers(config.redisUrl, logger);
  const now = () => new Date();
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    timeoutMs: config.smtpTimeoutMs,
    from: config.mailFrom,
    folder: config.mailFolder,
    logger,
  });
  const mailWork = createMailWork({
    database,
    mailer,
    passwords: createPasswords(config.bcryptCost),
    appUrl: config.appUrl,
    now,
  });
  const queueOptions = { connection: workerRedis, prefix: config.redisPrefix, logger };
  const mailWorker = startMailWorker({ ...queueOptions, database, work: mailWork });
  const relay = createOutboxRelay({ database, redis, prefix: config.redisPrefix, logger });
  const metrics = createPartMetrics({ database, redis });
  const work = createUnitOfWork({ database, relaySoon: relay.relaySoon, logger });
  const locks = createAccountLocks({ redis, prefix: config.redisPrefix });
  const observedWork = observeWork(work, addLedgerMetrics(metrics));
  const settlement = createSettlement({
    database,
    work: observedWork,
    locks,
    chunk: config.settlementChunk,
  });
  const settlementWorker = startSettlementWorker({ ...queueOptions, database, settlement, locks });
  const cancellation = createCancellation({ database, work: observedWork, locks });
  const cancellationWorker = startCancellationWorker({ ...queueOptions, database, cancellation, locks });
  const portfolios = createPortfolioCheck({ database, locks, logger });
  const portfolioWorker = startPortfolioWorker({ ...queueOptions, database, portfolios });
  const maintenance = startMaintenanceWorker({
    ...queueOptions,
    work: { housekeeping: createHousekeeping({ database, now }), audit: createDailyAudit({ database, logger }) },
  });
  const sweep = startSweep({ relay, redis, prefix: config.redisPrefix, now, logger });
  const workers = [mailWorker, settlementWorker, cancellationWorker, portfolioWorker, maintenance];
  const served = await serveWorkerMetrics({ metrics, workers, database, redis, config, logger });
  return {
    metricsPort: served.port,
    async close() {
      await served.close();
      await sweep.close();
      // Waits for the active jobs; a job that does not finish in time goes back to its queue.
      await closeAll(workerRedis, workers);
      await relay.close();
      mailer.close();
      redis.disconnect();
      workerRedis.disconnect();
      await database.$disconnect();
    },
  };
}
