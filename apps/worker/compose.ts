import { createPasswords } from '#access/passwords.js';
import type { Config } from '#config/config.js';
import { observeWork } from '#ledger/observed-work.js';
import { createUnitOfWork } from '#ledger/unit-of-work.js';
import type { Logger } from '#logging/logger.js';
import { createMailWork } from '#mail/mail-work.js';
import { createMailer } from '#mail/mailer.js';
import { createDailyAudit } from '#maintenance/daily-audit.js';
import { createHousekeeping } from '#maintenance/housekeeping.js';
import { addLedgerMetrics } from '#metrics/ledger-metrics.js';
import { createPartMetrics } from '#metrics/part-metrics.js';
import { createOutboxRelay } from '#outbox/relay.js';
import { openClients } from '#process/clients.js';
import type { Running } from '#process/run-process.js';
import { createAccountLocks } from '#queues/account-lock.js';
import { closeAll } from '#queues/closing.js';
import { connectForWorkers } from '#queues/redis.js';
import { createPortfolioCheck } from '#settlement/portfolio-check.js';
import { createSettlement } from '#settlement/settlement.js';
import { startMailWorker } from './mail-worker.js';
import { startMaintenanceWorker } from './maintenance-worker.js';
import { startPortfolioWorker } from './portfolio-worker.js';
import { startSettlementWorker } from './settlement-worker.js';
import { startSweep } from './sweep.js';
import { serveWorkerMetrics } from './worker-metrics.js';

export interface RunningWorker extends Running {
  /** None: no metrics are served. */
  readonly metricsPort: number | undefined;
}

/** Config -> clients -> workers. Correctness rests on the rows: any number of worker processes may run. */
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
  const settlement = createSettlement({
    database,
    work: observeWork(work, addLedgerMetrics(metrics)),
    locks,
    chunk: config.settlementChunk,
  });
  const settlementWorker = startSettlementWorker({ ...queueOptions, database, settlement, locks });
  const portfolios = createPortfolioCheck({ database, locks, logger });
  const portfolioWorker = startPortfolioWorker({ ...queueOptions, database, portfolios });
  const maintenance = startMaintenanceWorker({
    ...queueOptions,
    work: { housekeeping: createHousekeeping({ database, now }), audit: createDailyAudit({ database, logger }) },
  });
  const sweep = startSweep({ relay, redis, prefix: config.redisPrefix, now, logger });
  const workers = [mailWorker, settlementWorker, portfolioWorker, maintenance];
  const served = await serveWorkerMetrics({ metrics, workers, database, redis, config, logger });
  return {
    metricsPort: served.port,
    async close() {
      await served.close();
      await sweep.close();
      // Waits for the jobs in hand; what does not finish in time goes back to its queue.
      await closeAll(workerRedis, workers);
      await relay.close();
      mailer.close();
      redis.disconnect();
      workerRedis.disconnect();
      await database.$disconnect();
    },
  };
}
