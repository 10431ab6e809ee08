import { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.js';

const RETRY_STEP_MS = 100;
const RETRY_MAX_MS = 1_000;
/** A hanging Redis must not hang requests; a healthy one answers in a fraction of this. */
const COMMAND_TIMEOUT_MS = 500;

/** A connection without an answer for so long is destroyed and opened anew: the network may drop packets silently. */
const SILENCE_MS = 2_000;
/** The blocking reads of a worker last 5 s. */
const BLOCKING_SILENCE_MS = 8_000;

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

/** For workers: blocking reads wait until Redis is back. */
export function connectForWorkers(url: string, logger: Logger): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: BLOCKING_SILENCE_MS, retryStrategy });
  logOutages(redis, logger);
  return redis;
}
