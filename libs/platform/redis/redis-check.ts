import { Redis } from 'ioredis';
import { StartError } from '../errors/start-error.js';

const OLDEST = { major: 6, minor: 2 };
const ANSWER_TIMEOUT_MS = 10_000;
const RETRY_MS = 250;

export const isNewEnough = (major: number, minor: number): boolean =>
  major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);

/** The queues are in Redis: one that evicts keys when memory is short would silently lose jobs. */
export async function assertRedisFits(redis: Redis): Promise<void> {
  const info = new Map<string, string>();
  for (const line of `${await redis.info('server')}\n${await redis.info('memory')}`.split(/\r?\n/)) {
    const [name, value] = line.split(':');
    if (name !== undefined && value !== undefined) info.set(name, value);
  }
  const version = info.get('redis_version') ?? 'unknown';
  const [major, minor] = version.split('.').map(Number);
  if (!isNewEnough(major ?? 0, minor ?? 0)) {
    throw new StartError(`The Redis of REDIS_URL is too old: it has version ${version}, and 6.2 or later is needed.`);
  }
  const policy = info.get('maxmemory_policy');
  if (policy !== 'noeviction') {
    throw new StartError(
      `The Redis of REDIS_URL has the maxmemory-policy ${policy ?? 'unknown'}, with which it may drop waiting work. ` +
        'Set it to noeviction (`redis-cli config set maxmemory-policy noeviction`, and in its configuration file).',
    );
  }
}

/** Refuses an address at which no suitable Redis answers within ten seconds. */
export async function assertRedisUrl(url: string): Promise<void> {
  let lastFault = 'no answer';
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: () => RETRY_MS,
  });
  redis.on('error', (error: Error) => {
    lastFault = error.message;
  });
  // Disconnecting makes the waiting command fail.
  const timer = setTimeout(() => redis.disconnect(), ANSWER_TIMEOUT_MS);
  try {
    await assertRedisFits(redis);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const fault = redis.status === 'ready' ? (error as Error).message : lastFault;
    throw new StartError(
      `The Redis of REDIS_URL (${new URL(url).host}) does not answer: ${fault}. Start it, or correct REDIS_URL, or ` +
        'leave REDIS_URL unset to use a private one.',
    );
  } finally {
    clearTimeout(timer);
    redis.disconnect();
  }
}
