import { SERVICE } from '#accounts/access/fair-line.js';
import { createPasswords } from '#accounts/access/passwords.js';
import { addAccountEventMetrics, createNotedEvents, tellingOfRefusals } from '#accounts/events/noted-events.js';
import { createMailWork } from '#accounts/mail/mail-work.js';
import { createMailer } from '#accounts/mail/mailer.js';
import { AUDIT_DEADLINE_MS } from '#audit/audit.js';
import { createDailyAudit } from '#audit/daily-audit.js';
import { createPortfolioCheck } from '#audit/portfolio-check.js';
import { addLogMetrics } from '#events/event-metrics.js';
import { createEventSignals, type OnLogged } from '#events/event-signals.js';
import { hearOfLoggedEvents } from '#events/log-events.js';
import { createExportFiles, type ExportFiles } from '#exports/export-files.js';
import { createExportMaker, type ExportMakerOptions, MAX_EXPORT_MS } from '#exports/make-export.js';
import { createPartMetrics } from '#http/metrics/part-metrics.js';
import { createAccountLocks } from '#jobs/account-lock.js';
import { atMost, closeAll } from '#jobs/closing.js';
import { startHeartbeat } from '#jobs/heartbeats.js';
import { createOutboxRelay, type OutboxRelay } from '#jobs/relay.js';
import { createCancellation } from '#ledger/cancellation.js';
import { addLedgerMetrics, observeWork } from '#ledger/ledger-metrics.js';
import { createSettlement } from '#ledger/settlement.js';
import { createUnitOfWork, type UnitOfWork } from '#ledger/unit-of-work.js';
import type { Config } from '#platform/config/config.js';
import type { Database } from '#platform/database/database.js';
import { connectDatabase } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { openClients, openReads } from '#platform/process/clients.js';
import type { Running } from '#platform/process/run-process.js';
import { addQuotaMetrics } from '#platform/quotas/quota-use.js';
import { connectForWorkers, type RedisClient } from '#platform/redis/redis.js';
import { createPreviewMaker, MAX_PREVIEW_MS, type PreviewMakerOptions } from '#previews/make-preview.js';
import { startClock } from './clock.js';
import { startEventIndexing } from './event-indexing.js';
import { EXPORTS_AT_ONCE, type ExportWorkerOptions, startExportWorker } from './export-worker.js';
import { RETRY_PAUSES, type RetryPauses } from './failures-in-a-row.js';
import { createHousekeeping } from './housekeeping.js';
import { addHousekeepingMetrics } from './housekeeping-metrics.js';
import { startMailWorker } from './mail-worker.js';
import { startMaintenanceWorker } from './maintenance-worker.js';
import { PREVIEWS_AT_ONCE, type PreviewWorkerOptions, startPreviewWorker } from './preview-worker.js';
import type { QueueWorker, QueueWorkerOptions } from './queue-worker.js';
import { startSandboxWorker } from './sandbox-worker.js';
import { startWebhooks } from './start-webhooks.js';
import { startSweep } from './sweep.js';
import { createTurnsOfAccounts } from './turns-of-accounts.js';
import { startCancellationWorker, startPortfolioWorker, startSettlementWorker } from './wager-workers.js';
import { serveWorkerMetrics } from './worker-metrics.js';

export interface RunningWorker extends Running {
  /** Undefined when no metrics are served. */
  readonly metricsPort: number | undefined;
}

/** Before the end of the time that a process has to stop. */
const WORK_ENDS_WITHIN_MS = 9_000;
/** So little that the process stops in time. */
const HEARTBEAT_ENDS_WITHIN_MS = 500;
/** For statements that are still under way then. */
const CONNECTIONS_END_WITHIN_MS = 2_000;
/** To the standby: a scrape reads two sets of figures. */
const METRICS_CONNECTIONS = 2;

export interface WorkerSettings {
  /** Between the tries of ledger work that fails. */
  readonly pauses?: RetryPauses;
}

const now = (): Date => new Date();

/** Config -> clients -> workers. Any number of worker processes may run: correctness depends on the rows alone. */
export async function startWorker(
  config: Config,
  logger: Logger,
  fail: (error: unknown) => void,
  { pauses = RETRY_PAUSES }: WorkerSettings = {},
): Promise<RunningWorker> {
  const { database, redis } = await openClients(config, logger, fail);
  const auditDatabase = await connectAuditDatabase(config, logger);
  const workerRedis = connectForWorkers(config.redis, logger);
  const { mailer, passwords, mailWork } = createMailParts({ config, database, logger, now });
  const queueOptions = { connection: workerRedis, prefix: config.redisPrefix, logger };
  const mailWorker = startMailWorker({ ...queueOptions, database, work: mailWork });
  const relay = createOutboxRelay({ database, redis, prefix: config.redisPrefix, logger });
  const metrics = createPartMetrics({ database, redis });
  const onLogged = createEventSignals({ redis, prefix: config.redisPrefix, onLogged: [addLogMetrics(metrics)] });
  const reads = openReads(config, metrics, { primary: database, connections: METRICS_CONNECTIONS, logger });
  const observedWork = createObservedWork({ database, relay, onLogged, metrics, logger });
  const stopping = new AbortController();
  const { signal } = stopping;
  const ledgerOptions = { ...queueOptions, database, pauses, redis, work: observedWork, signal };
  const ledgerWorkers = startLedgerWorkers(config, ledgerOptions);
  const { notedEvents, countRefusal, onQuotaRefused } = createQuotaParts({ database, metrics, logger });
  const inTurn = createTurnsOfAccounts(database, countRefusal);
  const turnOptions = { ...queueOptions, inTurn, onQuotaRefused, signal };
  const exporting = await startExporting(config, { ...turnOptions, database, pauses });
  const previews = await startPreviews(config, { ...turnOptions, database, pauses });
  const webhooks = await startWebhooks(config, { ...turnOptions, redis, relay, onLogged, metrics, now });
  const workOptions = { database, auditDatabase, files: exporting.files, metrics, logger, signal };
  const maintenance = startMaintenanceWorker({ ...queueOptions, work: createMaintenanceWork(workOptions) });
  const sweep = startSweep({ relay, database, redis, prefix: config.redisPrefix, now, logger });
  const indexing = startEventIndexing({ database, logger, signal });
  const clock = startClock({ database, work: observedWork, logger, signal });
  const workers = [mailWorker, ...ledgerWorkers, exporting.worker, previews.worker, maintenance, ...webhooks.workers];
  const runningJobs = () => workers.flatMap((worker) => worker.runningJobs());
  const heartbeat = startHeartbeat({ database, logger, runningJobs });
  /** Waits for the active jobs. One that does not finish in time goes back to its queue when its lock expires. */
  const endWork = async () => {
    await Promise.all([sweep.close(), webhooks.close(), indexing.close(), clock.close()]);
    await closeAll(workerRedis, workers);
    await relay.close();
  };
  const served = await serveWorkerMetrics({ metrics, workers, reads, redis, config, logger });
  return {
    metricsPort: served.port,
    async close() {
      stopping.abort();
      // A scrape may wait for a silent PostgreSQL as well.
      await atMost(WORK_ENDS_WITHIN_MS, Promise.all([served.close(), endWork()]));
      mailer.close();
      // Also when a job goes on: the process stops, and is not dead.
      const silent = atMost(HEARTBEAT_ENDS_WITHIN_MS, heartbeat.close());
      await Promise.all([passwords.close(), notedEvents.close(), silent]);
      redis.disconnect();
      workerRedis.disconnect();
      const databases = [database, auditDatabase, exporting.source, previews.source];
      const ends = [reads.close(), webhooks.disconnect(), ...databases.map((each) => each.disconnect())];
      await atMost(CONNECTIONS_END_WITHIN_MS, Promise.all(ends));
    },
  };
}

interface MaintenanceOptions extends QuotaContext, Pick<QueueWorkerOptions, 'logger'> {
  readonly auditDatabase: Database;
  readonly files: ExportFiles;
  readonly signal: AbortSignal;
}

function createMaintenanceWork({ auditDatabase, metrics, ...options }: MaintenanceOptions) {
  return {
    housekeeping: createHousekeeping({ ...options, observe: addHousekeepingMetrics(metrics) }),
    audit: createDailyAudit({ database: auditDatabase, logger: options.logger, now }),
  };
}

/** What is refused at a quota is counted, and told to its account. Work that only waits is counted. */
function createQuotaParts({ metrics, ...context }: Pick<QueueWorkerOptions, 'logger'> & QuotaContext) {
  const notedEvents = createNotedEvents({ ...context, onDropped: addAccountEventMetrics(metrics) });
  const countRefusal = addQuotaMetrics(metrics);
  return { notedEvents, countRefusal, onQuotaRefused: tellingOfRefusals(countRefusal, notedEvents) };
}

interface QuotaContext {
  readonly database: Database;
  readonly metrics: Metrics;
}

interface LedgerWorkersOptions extends QueueWorkerOptions {
  readonly database: Database;
  readonly redis: RedisClient;
  readonly work: UnitOfWork;
  readonly pauses: RetryPauses;
  readonly signal: AbortSignal;
}

/** For what decisions, cancels, corrections and deleted sandboxes leave. */
function startLedgerWorkers(config: Config, { redis, work, signal, ...options }: LedgerWorkersOptions): QueueWorker[] {
  const { database, logger } = options;
  const locks = createAccountLocks({ redis, prefix: config.redisPrefix });
  const settlement = createSettlement({ database, work, locks, chunk: config.settlementChunk });
  const cancellation = createCancellation({ database, work, locks });
  const portfolios = createPortfolioCheck({ database, locks, logger });
  return [
    startSettlementWorker({ ...options, settlement, locks, signal }),
    startCancellationWorker({ ...options, cancellation, locks }),
    startPortfolioWorker({ ...options, portfolios }),
    startSandboxWorker(options),
  ];
}

const connectAuditDatabase = (config: Config, logger: Logger): Promise<Database> =>
  connectForLongReads(config, logger, { connections: 1, deadlineMs: AUDIT_DEADLINE_MS });

/** What exports read. No decision depends on it, so a replica would do. */
const connectExportSource = (config: Config, logger: Logger): Promise<Database> =>
  connectForLongReads(config, logger, { connections: EXPORTS_AT_ONCE, deadlineMs: 1.2 * MAX_EXPORT_MS });

type ExportingOptions = Omit<ExportWorkerOptions, 'makeExport'> & Pick<ExportMakerOptions, 'signal' | 'onQuotaRefused'>;

async function startExporting(config: Config, { signal, onQuotaRefused, ...options }: ExportingOptions) {
  const files = createExportFiles(config.exportFolder);
  const source = await connectExportSource(config, options.logger);
  const makeExport = createExportMaker({ database: options.database, source, files, signal, onQuotaRefused });
  return { files, source, worker: startExportWorker({ ...options, makeExport }) };
}

type PreviewsOptions = Omit<PreviewWorkerOptions, 'makePreview'> & Pick<PreviewMakerOptions, 'signal'>;

async function startPreviews(config: Config, { signal, ...options }: PreviewsOptions) {
  const bounds = { connections: PREVIEWS_AT_ONCE, deadlineMs: 1.2 * MAX_PREVIEW_MS };
  const source = await connectForLongReads(config, options.logger, bounds);
  const makePreview = createPreviewMaker({ database: options.database, source, signal });
  return { source, worker: startPreviewWorker({ ...options, makePreview }) };
}

const connectForLongReads = (
  config: Config,
  logger: Logger,
  bounds: { readonly connections: number; readonly deadlineMs: number },
): Promise<Database> =>
  connectDatabase({
    url: config.databaseUrl,
    ...bounds,
    onConnectionError: (error) => logger.warn({ reason: error.message }, 'database connection lost'),
  });

interface WorkContext {
  readonly database: Database;
  readonly relay: OutboxRelay;
  readonly onLogged: OnLogged;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Every commit that adds events to a log tells those who wait for them. */
function createObservedWork({ database, relay, onLogged, metrics, logger }: WorkContext): UnitOfWork {
  hearOfLoggedEvents(database, onLogged, logger);
  const observer = addLedgerMetrics(metrics);
  const { relaySoon } = relay;
  const { paymentsDiffered: onPaymentsDiffer } = observer;
  return observeWork(createUnitOfWork({ database, relaySoon, logger, onLogged, onPaymentsDiffer }), observer);
}

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
  const { appUrl, consoleUrl } = config;
  const mailWork = createMailWork({ database, mailer, passwords: passwords.for(SERVICE), appUrl, consoleUrl, now });
  return { mailer, passwords, mailWork };
}
