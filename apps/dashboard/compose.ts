import { listenForAccessChanges } from '#accounts/access/access-changes.js';
import { createPasswords } from '#accounts/access/passwords.js';
import { createWrongLogins } from '#accounts/events/wrong-logins.js';
import { createRateLimits, unlimited } from '#http/limits/rate-limits.js';
import { createServerMetrics } from '#http/metrics/part-metrics.js';
import { serve } from '#http/server.js';
import type { Config } from '#platform/config/config.js';
import type { Logger } from '#platform/logging/logger.js';
import { openClients } from '#platform/process/clients.js';
import type { Running } from '#platform/process/run-process.js';
import { createAdminGate } from './admin-gate.js';
import { createDashboardApp } from './app.js';

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
  const changes = await listenForAccessChanges(config.databaseUrl, logger);
  const metrics = createServerMetrics({ database, redis, token: config.metricsToken });
  const limits = config.rateLimits ? createRateLimits(redis, config.redisPrefix, metrics.onLimitRefused) : unlimited;
  const passwords = createPasswords(config.bcryptCost);
  const wrongLogins = createWrongLogins({ database, logger });
  const gate = createAdminGate({ database, passwords, changes, limits, wrongLogins });
  const { app, close: closeQueues } = createDashboardApp({
    gate,
    redis,
    prefix: config.redisPrefix,
    logger,
    metrics,
    trustedProxies: config.trustedProxies,
  });
  const server = await serve(app, { host: config.host, port: config.dashboardPort });
  logger.info({ host: config.host, port: server.port }, 'listening');
  return {
    port: server.port,
    async close() {
      await server.close();
      await passwords.close();
      await wrongLogins.close();
      metrics.close();
      await closeQueues();
      redis.disconnect();
      await changes.close();
      await database.$disconnect();
    },
  };
}
