import { listenForAccessChanges } from '#accounts/access/access-changes.js';
import { createAuthenticator } from '#accounts/access/authenticator.js';
import { createCredentialUses } from '#accounts/access/credential-uses.js';
import { createRateLimits, unlimited } from '#http/limits/rate-limits.js';
import { createServerMetrics } from '#http/metrics/part-metrics.js';
import { serve } from '#http/server.js';
import type { Config } from '#platform/config/config.js';
import type { Logger } from '#platform/logging/logger.js';
import { openClients } from '#platform/process/clients.js';
import type { Running } from '#platform/process/run-process.js';
import { createAdminGate } from './admin-gate.js';
import { createDashboardApp } from './app.js';
import { createEndToken } from './end-token.js';
import { createRecordQueueAction } from './record-queue-action.js';
import { createConsole } from './server/console.js';

const CONNECTIONS = 3;

export interface RunningDashboard extends Running {
  readonly port: number;
}

export async function startDashboard(
  config: Config,
  logger: Logger,
  fail: (error: unknown) => void,
): Promise<RunningDashboard> {
  const { database, redis } = await openClients(config, logger, fail, { connections: CONNECTIONS });
  const changes = await listenForAccessChanges(config.databaseListenUrl, logger);
  const metrics = createServerMetrics({ database, redis, token: config.metricsToken });
  const limits = config.rateLimits ? createRateLimits(redis, config.redisPrefix, metrics.onLimitRefused) : unlimited;
  const now = () => new Date();
  const uses = createCredentialUses({ database, logger, now });
  const authenticator = createAuthenticator({ database, changes, uses, needsFactor: config });
  const callerOf = async (token: string) => {
    const authorization = `Bearer ${token}`;
    return (
      authenticator.recall(authorization) ?? authenticator.remember(authorization, () => authenticator.withToken(token))
    );
  };
  const console = createConsole({
    redis,
    prefix: config.redisPrefix,
    limits,
    logger,
    callerOf,
    endToken: createEndToken({ database, changes, authenticator }),
    consoleSecret: config.consoleSecret,
    apiUrl: config.apiUrl,
    publicApiUrl: config.appUrl,
  });
  const { app, close: closeQueues } = createDashboardApp({
    console,
    adminGate: createAdminGate(console.sessions, callerOf),
    recordAction: createRecordQueueAction(database),
    redis,
    prefix: config.redisPrefix,
    logger,
    metrics,
    trustedProxies: config.dashboardTrustedProxies,
  });
  const server = await serve(app, { host: config.host, port: config.dashboardPort });
  logger.info({ host: config.host, port: server.port }, 'listening');
  return {
    port: server.port,
    async close() {
      console.close();
      await server.close();
      await uses.close();
      metrics.close();
      await closeQueues();
      redis.disconnect();
      await changes.close();
      await database.disconnect();
    },
  };
}
