import { createPasswords } from '#accounts/access/passwords.js';
import { createMailWork } from '#accounts/mail/mail-work.js';
import { createMailer } from '#accounts/mail/mailer.js';
import { AUDIT_DEADLINE_MS } from '#audit/audit.js';
import { createDailyAudit } from '#audit/daily-audit.js';
import { createPortfolioCheck } from '#audit/portfolio-check.js';
import { createPartMetrics } from '#http/metrics/part-metrics.js';
import { createAccountLocks } from '#jobs/account-lock.js';
import { atMost, closeAll } from '#jobs/closing.js';
import { createOutboxRelay } from '#jobs/relay.js';
import { createCancellation } from '#ledger/cancellation.js';
import { addLedgerMetrics, observeWork } from '#ledger/ledger-metrics.js';
import { createSettlement } from '#ledger/settlement.js';
import { createUnitOfWork } from '#ledger/unit-of-work.js';
import type { Config } from '#platform/config/config.js';
import type { Database } from '#platform/database/database.js';
import { connectDatabase, disconnectDatabase } from '#platform/database/placement.js';
import type { Logger } from '#platform/logging/logger.js';
import { openClients } from '#platform/process/clients.js';
import type { Running } from '#platform/process/run-process.js';
import { connectForWorkers } from '#platform/redis/redis.js';
import { startCancellationWorker } from './cancellation-worker.js';
import { RETRY_PAUSES, type RetryPauses } from './failures-in-a-row.js';
import { createHousekeeping } from './housekeeping.js';
import { addHousekeepingMetrics } from './housekeeping-metrics.js';
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

/** Before the end of the time that a process has to stop. */
const WORK_ENDS_WITHIN_MS = 9_000;
/** For statements that are still under way then. */
const CONNECTIONS_END_WITHIN_MS = 2_000;

export interface WorkerSettings {
  /** Between the tries of ledger work that fails. */
  readonly pauses?: RetryPauses;
}

/** Config -> clients -> workers. Any number of worker processes may run: correctness depends on the rows alone. */
export async function startWorker(
  config: Config,
  logger: Logger,
  fail: (error: unknown) => void,
  { pauses = RETRY_PAUSES }: WorkerSettings = {},
): Promise<RunningWorker> {
  const { database, redis } = await openClients(config, logger, fail);
  const auditDatabase = await connectAuditDatabase(config, logger);
  const workerRedis = connectForWorkers(config.redisUrl, logger);
  const now = () => new Date();
  const { mailer, passwords, mailWork } = createMailParts({ config, database, logger, now });
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
  const settlementWorker = startSettlementWorker({ ...queueOptions, database, settlement, locks, pauses });
  const cancellation = createCancellation({ database, work: observedWork, locks });
  const cancellationWorker = startCancellationWorker({ ...queueOptions, database, cancellation, locks, pauses });
  const portfolios = createPortfolioCheck({ database, locks, logger });
  const portfolioWorker = startPortfolioWorker({ ...queueOptions, database, portfolios, pauses });
  const stopping = new AbortController();
  const observe = addHousekeepingMetrics(metrics);
  const housekeeping = createHousekeeping({ database, now, logger, observe, signal: stopping.signal });
  const maintenance = startMaintenanceWorker({
    ...queueOptions,
    work: { housekeeping, audit: createDailyAudit({ database: auditDatabase, logger, now }) },
  });
  const sweep = startSweep({ relay, database, redis, prefix: config.redisPrefix, now, logger });
  const workers = [mailWorker, settlementWorker, cancellationWorker, portfolioWorker, maintenance];
  /** Waits for the active jobs. One that does not finish in time goes back to its queue when its lock expires. */
  const endWork = async () => {
    await sweep.close();
    await closeAll(workerRedis, workers);
    await relay.close();
  };
  const served = await serveWorkerMetrics({ metrics, workers, database, redis, config, logger });
  return {
    metricsPort: served.port,
    async close() {
      stopping.abort();
      // A scrape may wait for a silent PostgreSQL as well.
      await atMost(WORK_ENDS_WITHIN_MS, Promise.all([served.close(), endWork()]));
      mailer.close();
      await passwords.close();
      redis.disconnect();
      workerRedis.disconnect();
      await atMost(CONNECTIONS_END_WITHIN_MS, Promise.all([database, auditDatabase].map(disconnectDatabase)));
    },
  };
}

const connectAuditDatabase = (config: Config, logger: Logger): Promise<Database> =>
  connectDatabase({
    url: config.databaseUrl,
    connections: 1,
    deadlineMs: AUDIT_DEADLINE_MS,
    onConnectionError: (error) => logger.warn({ reason: error.message }, 'database connection lost'),
  });

interface MailContext {
  readonly config: Config;
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
}

function createMailParts({ config, database, logger, now }: MailContext) {
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    requiresTls: config.smtpRequiresTls,
    timeoutMs: config.smtpTimeoutMs,
    from: config.mailFrom,
    folder: config.mailFolder,
    logger,
  });
  const passwords = createPasswords(config.bcryptCost);
  const mailWork = createMailWork({ database, mailer, passwords, appUrl: config.appUrl, now });
  return { mailer, passwords, mailWork };
}
