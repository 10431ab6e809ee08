import type { Database } from '../database/database.js';
import type { RedisClient } from '../redis/redis.js';
import type { Metrics } from './metrics.js';

export interface Connections {
  readonly database: Database;
  readonly redis: RedisClient;
}

/** A process's connections to PostgreSQL and Redis. */
export function addConnectionMetrics({ gauge, beforeScrape }: Metrics, { database, redis }: Connections): void {
  const connections = gauge({
    name: 'ledger_database_connections',
    help: 'Connections to PostgreSQL: at work, and idle in the pool',
    labelNames: ['state'],
  });
  const limit = gauge({ name: 'ledger_database_connections_limit', help: 'As many connections as the pool may open' });
  const waiting = gauge({ name: 'ledger_database_waiting', help: 'Who waits for a connection of the pool' });
  const redisUp = gauge({ name: 'ledger_redis_up', help: '1: connected to Redis; 0: not' });
  beforeScrape(() => {
    const pool = database.pool;
    connections.set({ state: 'busy' }, pool.total - pool.idle);
    connections.set({ state: 'idle' }, pool.idle);
    limit.set(pool.limit);
    waiting.set(pool.waiting);
    redisUp.set(redis.status === 'ready' ? 1 : 0);
  });
}
