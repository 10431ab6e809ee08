import type { Config } from '../config/config.js';
import { type Database, openDatabase } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { connectForRequests, type RedisClient } from '../redis/redis.js';
import { assertMigratedWithRetry, assertRedisFitsWhenReady } from './start-checks.js';

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
  const database = openDatabase({
    url: config.databaseUrl,
    connections: config.databaseConnections,
    ...options,
    onConnectionError: (error) => logger.warn({ reason: error.message }, 'database connection lost'),
  });
  const redis = connectForRequests(config.redis, logger);
  await assertRedisFitsWhenReady(redis, logger, fail);
  return { database, redis };
}
