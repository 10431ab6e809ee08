import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { connectDatabase } from '../database/database.js';
import { addReadMetrics, createReads, type Reads, type ReadsOptions } from '../database/reads.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { connectForRequests, type RedisClient } from '../redis/redis.js';
import { assertMigratedWithRetry, assertRedisFitsWhenReady, warnOfOwner } from './start-checks.js';

export interface Clients {
  readonly database: Database;
  readonly redis: RedisClient;
}

/** Opens a migrated database and a Redis that evicts nothing. Redis may be away at the start. */
export async function openClients(
  config: Config,
  logger: Logger,
  fail: (error: unknown) => void,
  options: { readonly connections?: number; readonly deadlineMs?: number } = {},
): Promise<Clients> {
  await assertMigratedWithRetry(config.databaseUrl, logger);
  const database = await connectDatabase({
    url: config.databaseUrl,
    connections: config.databaseConnections,
    ...options,
    onConnectionError: (error) => logger.warn({ reason: error.message }, 'database connection lost'),
  });
  await warnOfOwner(database, logger);
  const redis = connectForRequests(config.redis, logger);
  await assertRedisFitsWhenReady(redis, logger, fail);
  return { database, redis };
}

/** Reads from the standby that the configuration names, counted in the part's metrics. */
export const openReads = (
  config: Config,
  metrics: Metrics,
  options: Pick<ReadsOptions, 'primary' | 'connections' | 'deadlineMs' | 'logger'>,
): Reads => createReads({ ...options, standbyUrl: config.readDatabaseUrl, onRead: addReadMetrics(metrics) });
