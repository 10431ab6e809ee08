import { randomUUID } from 'node:crypto';
import { addLagMetrics, addLogMetrics, addTailMetrics, addWakeMetrics } from '#events/event-metrics.js';
import { createEventSignals, createEventTail, type EventTail, type OnLogged } from '#events/event-signals.js';
import { hearOfLoggedEvents } from '#events/log-events.js';
import type { Config } from '#platform/config/config.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { connectForMessages, type RedisClient } from '#platform/redis/redis.js';

export interface EventParts {
  readonly tail: EventTail;
  readonly onLogged: OnLogged;
  /** Ends all waits. */
  close(): void;
}

export interface EventPartsOptions {
  readonly database: Database;
  readonly redis: RedisClient;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'redis' | 'redisPrefix'>;
  readonly logger: Logger;
}

/** What tells readers of this process and of others that event logs have grown. */
export function startEvents({ database, redis, metrics, config, logger }: EventPartsOptions): EventParts {
  const subscriber = connectForMessages(config.redis);
  const prefix = config.redisPrefix;
  const sender = randomUUID();
  const observers = { onWake: addWakeMetrics(metrics), onShown: addLagMetrics(metrics) };
  const tail = createEventTail({ database, subscriber, prefix, sender, ...observers });
  addTailMetrics(metrics, tail);
  const onLogged = createEventSignals({ redis, prefix, sender, onLogged: [addLogMetrics(metrics), tail.hint] });
  hearOfLoggedEvents(database, onLogged, logger);
  return {
    tail,
    onLogged,
    close() {
      tail.close();
      subscriber.disconnect();
    },
  };
}
