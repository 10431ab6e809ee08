import { listenForAccessChanges } from '#accounts/access/access-changes.js';
import { createAuthenticator } from '#accounts/access/authenticator.js';
import { createCredentialUses } from '#accounts/access/credential-uses.js';
import { createPasswords } from '#accounts/access/passwords.js';
import type { AccountsContext } from '#accounts/accounts-context.js';
import { addAccountEventMetrics, createNotedEvents, tellingOfRefusals } from '#accounts/events/noted-events.js';
import { createWrongLogins } from '#accounts/events/wrong-logins.js';
import { createImportUsers } from '#accounts/users/import-users.js';
import { createExportFiles } from '#exports/export-files.js';
import { createProve } from '#http/authenticate.js';
import { createRateLimits, unlimited } from '#http/limits/rate-limits.js';
import { createRequestLimits } from '#http/limits/request-limits.js';
import { createServerMetrics, type ServerMetrics } from '#http/metrics/part-metrics.js';
import { addRefusedCallMetrics, createRefusedCalls } from '#http/refused-calls.js';
import { serve } from '#http/server.js';
import { createAllTurns } from '#http/turns.js';
import { UnreadAnswers } from '#http/unread-answers.js';
import { createKeysInUse } from '#idempotency/keys-in-use.js';
import { createOutboxRelay } from '#jobs/relay.js';
import { createLanes } from '#ledger/lanes.js';
import { createLedger } from '#ledger/ledger.js';
import { addLaneMetrics, addLedgerMetrics, observeWork } from '#ledger/ledger-metrics.js';
import { createUnitOfWork, type UnitOfWorkOptions } from '#ledger/unit-of-work.js';
import type { Config } from '#platform/config/config.js';
import { withTx } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { openClients, openReads } from '#platform/process/clients.js';
import { createJoinedRuns } from '#platform/process/joined-runs.js';
import type { Running } from '#platform/process/run-process.js';
import { addQuotaMetrics, QuotaUse } from '#platform/quotas/quota-use.js';
import { StoredBytes } from '#platform/quotas/stored-bytes.js';
import type { RedisClient } from '#platform/redis/redis.js';
import { createSealedBox } from '#platform/secrets/sealed-box.js';
import { createSecretBox } from '#webhooks/secret-box.js';
import { createSender, createSockets } from '#webhooks/sender.js';
import { createApp } from './app.js';
import { createHealth, type Health, type HealthOptions } from './health.js';
import { addHealthMetrics } from './health-metrics.js';
import { createRisk } from './risk.js';
import type { ApiServices, WebhookServices } from './services.js';
import { startEvents } from './start-events.js';
import { Streams } from './streams/streams.js';

export interface RunningApi extends Running {
  readonly port: number;
}

const now = () => new Date();

/** Config -> clients -> services -> server. */
export async function startApi(config: Config, logger: Logger, fail: (error: unknown) => void): Promise<RunningApi> {
  const { database, redis } = await openClients(config, logger, fail, { deadlineMs: config.requestDeadlineMs });
  const changes = await listenForAccessChanges(config.databaseListenUrl, logger);
  const relay = createOutboxRelay({ database, redis, prefix: config.redisPrefix, logger });
  const metrics = createServerMetrics({ database, redis, token: config.metricsToken });
  const { databaseConnections: connections, requestDeadlineMs: deadlineMs } = config;
  const reads = openReads(config, metrics, { primary: database, connections, deadlineMs, logger });
  const ledger = startLedger({ database, relaySoon: relay.relaySoon, logger }, { redis, metrics, config });
  const passwords = createPasswords(config.bcryptCost);
  const uses = createCredentialUses({ database, logger, now });
  const { wrongLogins, notedEvents, refusedCalls } = createLateRows({ database, logger }, metrics);
  const authenticator = createAuthenticator({ database, changes, uses, needsFactor: config });
  const onQuotaRefused = tellingOfRefusals(addQuotaMetrics(metrics), notedEvents);
  const quotas = new QuotaUse(onQuotaRefused);
  const access = { changes, now, prove: createProve(authenticator) };
  const streams = new Streams({ database, tail: ledger.events.tail, metrics, logger, quotas, ...access });
  const unread = new UnreadAnswers({ onQuotaRefused });
  const services: ApiServices = {
    database,
    reads,
    authenticator,
    prove: access.prove,
    quotas,
    storedBytes: new StoredBytes(quotas),
    streams,
    passwords,
    notedEvents,
    refusedCalls,
    metrics,
    logger,
    health: createObservedHealth({ database, ledgerGroupMs: ledger.lanes.groupMs, logger }, { redis, metrics }),
    risk: createRisk({ reads, logger }),
    accounts: createAccountsContext({ database, changes, wrongLogins, now }, relay.relaySoon, config),
    ...ledger.services,
    ...settingsOf(config),
    keysInUse: createKeysInUse(),
    ...createLimits(config, redis, metrics),
    eventTail: ledger.events.tail,
    ...createAllTurns({ databaseConnections: connections, unread, quotaUse: quotas }),
  };
  const server = await serve(createApp(services), { host: config.host, port: config.port }, unread);
  logger.info({ host: config.host, port: server.port }, 'listening');
  return {
    port: server.port,
    async close() {
      // Their readers connect again elsewhere while the requests in flight are finished.
      streams.close();
      ledger.events.close();
      await server.close();
      await passwords.close();
      metrics.close();
      await ledger.lanes.drained();
      await Promise.all([uses, wrongLogins, notedEvents, refusedCalls].map((late) => late.close()));
      await relay.close();
      redis.disconnect();
      await Promise.all([changes.close(), reads.close()]);
      await database.disconnect();
    },
  };
}

const createAccountsContext = (
  parts: Pick<AccountsContext, 'database' | 'changes' | 'wrongLogins' | 'now'>,
  relaySoon: AccountsContext['relaySoon'],
  { accessTokenTtlMs, webhookKeys }: Config,
): AccountsContext => ({
  ...parts,
  tables: parts.database.shared,
  transact: (use) => withTx(parts.database.shared, use),
  resetRequests: createJoinedRuns(),
  relaySoon,
  accessTokenTtlMs,
  factorBox: createSealedBox(webhookKeys),
});

/** What is written after the answer. */
function createLateRows(context: Pick<ApiServices, 'database' | 'logger'>, metrics: ServerMetrics) {
  const options = { ...context, onDropped: addAccountEventMetrics(metrics) };
  return {
    wrongLogins: createWrongLogins(options),
    notedEvents: createNotedEvents(options),
    refusedCalls: createRefusedCalls({ ...context, onDropped: addRefusedCallMetrics(metrics) }),
  };
}

interface MetricsContext {
  readonly redis: RedisClient;
  readonly metrics: ServerMetrics;
}

/** Of this process, and of what runs behind the requests, which it reports as metrics too. */
function createObservedHealth(
  options: Omit<HealthOptions, 'isRedisReady'>,
  { redis, metrics }: MetricsContext,
): Health {
  const health = createHealth({ ...options, isRedisReady: () => redis.status === 'ready' });
  addHealthMetrics(metrics, health);
  return health;
}

interface LedgerContext extends MetricsContext {
  readonly config: Config;
}

/** The lanes, and what tells readers of events of their commits. */
function startLedger(options: UnitOfWorkOptions, { metrics, ...context }: LedgerContext) {
  const { database, logger } = options;
  const events = startEvents({ database, metrics, logger, ...context });
  const observer = addLedgerMetrics(metrics);
  const { paymentsDiffered: onPaymentsDiffer } = observer;
  const work = observeWork(createUnitOfWork({ ...options, onLogged: events.onLogged, onPaymentsDiffer }), observer);
  const lanes = createLanes({ work, database, logger });
  addLaneMetrics(metrics, lanes);
  const { settlementBound, forcingNeedsAdmin: needsAdmin } = context.config;
  const approvals = { database, work, settlementBound, needsAdmin };
  return { events, lanes, services: { ledger: createLedger(lanes), importUsers: createImportUsers(work), approvals } };
}

/** The services that come from the configuration alone. */
const settingsOf = (config: Config) => ({
  exportFiles: createExportFiles(config.exportFolder),
  settlementBound: config.settlementBound,
  requestDeadlineMs: config.requestDeadlineMs,
  webhooks: createWebhookServices(config),
  trustedProxies: config.trustedProxies,
  consoleSecret: config.consoleSecret,
});

/** An account tests one endpoint after the other. */
const TESTS_AT_ONCE = 2;

function createWebhookServices({ webhookKeys, allowPrivateWebhooks: allowPrivate }: Config): WebhookServices {
  const rules = { allowPrivate };
  return {
    secretBox: createSecretBox(webhookKeys),
    rules,
    send: createSender(rules),
    sockets: createSockets(TESTS_AT_ONCE),
  };
}

const createLimits = (config: Config, redis: RedisClient, { onLimitRefused }: ServerMetrics) => ({
  limits: config.rateLimits
    ? createRateLimits(redis, config.redisPrefix, onLimitRefused, { registration: config.registrationLimit })
    : unlimited,
  requestLimits: createRequestLimits({ setting: config.requestLimits, redis, prefix: config.redisPrefix }),
});
