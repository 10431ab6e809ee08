import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '../logging/logger.js';

const RETRY_STEP_MS = 100;
const RETRY_MAX_MS = 1_000;
/** A hanging Redis must not hang requests; a healthy one answers in a fraction of this. */
const COMMAND_TIMEOUT_MS = 500;

/** A connection without an answer for so long is destroyed and opened anew: the network may drop packets silently. */
const SILENCE_MS = 2_000;
/** A worker's blocking read lasts 3 s; BullMQ resets the connection after 4 s, so this only backs it up. */
const BLOCKING_SILENCE_MS = 6_000;

const retryStrategy = (attempt: number) => Math.min(attempt * RETRY_STEP_MS, RETRY_MAX_MS);

/** Logs one line when Redis goes away and one when it is back, not one for every attempt. */
function logOutages(redis: Redis, logger: Logger): void {
  let down = false;
  redis.on('error', (error: Error) => {
    if (!down) logger.warn({ reason: error.message }, 'Redis is not reachable');
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.info('Redis is back');
    down = false;
  });
}

/** For requests: without Redis a command fails at once, so that the caller can go on without it. */
export function connectForRequests(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy,
  });
  logOutages(redis, logger);
  return redis;
}

/** For messages: it subscribes again whenever Redis is back, and says nothing of outages, which other connections log. */
export function connectForMessages(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS, retryStrategy });
  redis.on('error', () => undefined);
  return redis;
}

/** BullMQ duplicates a worker's connection for its blocking reads. */
class WorkerRedis extends Redis {
  override duplicate(override?: Partial<RedisOptions>): Redis {
    return super.duplicate({ ...override, socketTimeout: BLOCKING_SILENCE_MS });
  }
}

/** For workers: commands wait until Redis is back. */
export function connectForWorkers(url: string, logger: Logger): Redis {
  const redis = new WorkerRedis(url, { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS, retryStrategy });
  logOutages(redis, logger);
  return redis;
}
