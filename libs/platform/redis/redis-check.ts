import { Cluster, type Redis } from 'ioredis';
import { readRedisAddress } from '../config/redis-address.js';
import { StartError } from '../errors/start-error.js';
import { connectForCheck, type RedisClient } from './redis.js';

const OLDEST = { major: 6, minor: 2 };
const ANSWER_TIMEOUT_MS = 10_000;

export const isNewEnough = (major: number, minor: number): boolean =>
  major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);

/** The queues are in Redis: one that evicts keys when memory is short would silently lose jobs. */
export async function assertRedisFits(redis: RedisClient): Promise<void> {
  if (!(redis instanceof Cluster)) return assertNodeFits(redis, { isCluster: false });
  // Replicas too: one of them may be the next master. A node that does not answer is checked when Redis is back.
  const checks = await Promise.allSettled(redis.nodes().map((node) => assertNodeFits(node, { isCluster: true })));
  const failures = checks.flatMap((check) => (check.status === 'rejected' ? [check.reason] : []));
  const unfit = failures.find((reason) => reason instanceof StartError);
  if (unfit !== undefined || failures.length === checks.length) throw unfit ?? failures[0] ?? new Error('no node');
}

async function infoOf(redis: Redis): Promise<ReadonlyMap<string, string>> {
  const info = new Map<string, string>();
  for (const line of (await redis.info()).split(/\r?\n/)) {
    const [name, value] = line.split(':');
    if (name !== undefined && value !== undefined) info.set(name, value);
  }
  return info;
}

async function assertNodeFits(redis: Redis, { isCluster }: { readonly isCluster: boolean }): Promise<void> {
  const info = await infoOf(redis);
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
  if (!isCluster && info.get('cluster_enabled') === '1') {
    throw new StartError(
      'The Redis of REDIS_URL is a node of a cluster: begin the address with redis+cluster:// (rediss+cluster:// with TLS).',
    );
  }
}

const NO_CLUSTER = /cluster support disabled/;

/** Undefined for any fault that may pass. */
export const lastingFaultOf = (error: Error & { lastNodeError?: Error }): StartError | undefined =>
  NO_CLUSTER.test(error.lastNodeError?.message ?? '')
    ? new StartError('The Redis of REDIS_URL is no cluster: begin the address with redis:// (rediss:// with TLS).')
    : undefined;

const hostsIn = (url: string): string => (readRedisAddress(url)?.nodes ?? []).map(({ host }) => host).join();

/** Refuses an address at which no suitable Redis answers within ten seconds. */
export async function assertRedisUrl(url: string): Promise<void> {
  let lastFault = 'no answer';
  let lasting: StartError | undefined;
  const redis = connectForCheck({ url }, ANSWER_TIMEOUT_MS);
  redis.on('error', (error: Error & { lastNodeError?: Error }) => {
    lastFault = (error.lastNodeError ?? error).message;
    lasting = lastingFaultOf(error);
    if (lasting !== undefined) redis.disconnect();
  });
  // Disconnecting makes the waiting command fail.
  const timer = setTimeout(() => redis.disconnect(), ANSWER_TIMEOUT_MS);
  try {
    // A cluster knows its nodes when it has answered once.
    await redis.ping();
    await assertRedisFits(redis);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (lasting !== undefined) throw lasting;
    const fault = redis.status === 'ready' ? (error as Error).message : lastFault;
    throw new StartError(
      `The Redis of REDIS_URL (${hostsIn(url)}) does not answer: ${fault}. Start it, or correct REDIS_URL, or ` +
        'leave REDIS_URL unset to use a private one.',
    );
  } finally {
    clearTimeout(timer);
    redis.disconnect();
  }
}
