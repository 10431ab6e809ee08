import type { Redis } from 'ioredis';
import type { Config } from '../config/config.js';
import { type Database, openDatabase } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { connectForRequests } from '../redis/redis.js';
import { assertMigratedPatiently, assertRedisFitsWhenReady } from './start-checks.js';

export interface Clients {
  readonly database: Database;
  readonly redis: Redis;
}

/** What every app works with: a database that is up to date, and a Redis that keeps what it is given, when it is there. */
export async function openClients(
  config: Config,
  logger: Logger,
  fail: (error: unknown) => void,
  connections = config.databaseConnections,
): Promise<Clients> {
  await assertMigratedPatiently(config.databaseUrl, logger);
  const database = openDatabase({
    url: config.databaseUrl,
    connections,
    onConnectionError: (error) => logger.warn({ reason: error.message }, 'database connection lost'),
  });
  const redis = connectForRequests(config.redisUrl, logger);
  await assertRedisFitsWhenReady(redis, logger, fail);
  return { database, redis };
}
