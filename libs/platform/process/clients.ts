import type { Redis } from 'ioredis';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { connectDatabase } from '../database/placement.js';
import type { Logger } from '../logging/logger.js';
import { connectForRequests } from '../redis/redis.js';
import { assertMigratedWithRetry, assertRedisFitsWhenReady } from './start-checks.js';

export interface Clients {
  readonly database: Database;
  readonly redis: Redis;
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
  const redis = connectForRequests(config.redisUrl, logger);
  await assertRedisFitsWhenReady(redis, logger, fail);
  return { database, redis };
}
