import { listenForAccessChanges } from '#accounts/access/access-changes.js';
import { createAuthenticator } from '#accounts/access/authenticator.js';
import { createCredentialUses } from '#accounts/access/credential-uses.js';
import { createPasswords } from '#accounts/access/passwords.js';
import { createWrongLogins } from '#accounts/events/wrong-logins.js';
import { createRateLimits, unlimited } from '#http/limits/rate-limits.js';
import { createServerMetrics } from '#http/metrics/part-metrics.js';
import { serve } from '#http/server.js';
import type { Config } from '#platform/config/config.js';
import { HOUR_MS } from '#platform/config/time-units.js';
import { withTx } from '#platform/database/database.js';
import { disconnectDatabase } from '#platform/database/placement.js';
import type { Logger } from '#platform/logging/logger.js';
import { openClients } from '#platform/process/clients.js';
import type { Running } from '#platform/process/run-process.js';
import { createDashboardApp } from './app.js';
import { createSessions } from './sessions.js';

const CONNECTIONS = 3;
/** A working day: an admin's session ends then, used or not. */
const SESSION_MS = 8 * HOUR_MS;

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
  const passwords = createPasswords(config.bcryptCost);
  const wrongLogins = createWrongLogins({ database, logger });
  const uses = createCredentialUses({ database, logger, now });
  const sessions = createSessions({
    context: {
      database,
      transact: (use) => withTx(database, use),
      passwords,
      changes,
      wrongLogins,
      accessTokenTtlMs: Math.min(SESSION_MS, config.accessTokenTtlMs),
      now,
    },
    authenticator: createAuthenticator({ database, changes, uses, now }),
    limits,
  });
  const { app, close: closeQueues } = createDashboardApp({
    sessions,
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
      await uses.close();
      await wrongLogins.close();
      metrics.close();
      await closeQueues();
      redis.disconnect();
      await changes.close();
      await disconnectDatabase(database);
    },
  };
}
