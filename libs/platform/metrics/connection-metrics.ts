import { Gauge } from 'prom-client';
import type { Database } from '../database/database.js';
import type { RedisClient } from '../redis/redis.js';
import type { Metrics } from './metrics.js';

export interface Connections {
  readonly database: Database;
  readonly redis: RedisClient;
}

/** A process's connections to PostgreSQL and Redis. */
export function addConnectionMetrics({ registry, beforeScrape }: Metrics, { database, redis }: Connections): void {
  const registers = [registry];
  const connections = new Gauge({
    name: 'ledger_database_connections',
    help: 'Connections to PostgreSQL: at work, and idle in the pool',
    labelNames: ['state'],
    registers,
  });
  const limit = new Gauge({
    name: 'ledger_database_connections_limit',
    help: 'As many connections as the pool may open',
    registers,
  });
  const waiting = new Gauge({
    name: 'ledger_database_waiting',
    help: 'Who waits for a connection of the pool',
    registers,
  });
  const redisUp = new Gauge({ name: 'ledger_redis_up', help: '1: connected to Redis; 0: not', registers });
  beforeScrape(() => {
    const pool = database.pool;
    connections.set({ state: 'busy' }, pool.total - pool.idle);
    connections.set({ state: 'idle' }, pool.idle);
    limit.set(pool.limit);
    waiting.set(pool.waiting);
    redisUp.set(redis.status === 'ready' ? 1 : 0);
  });
}
