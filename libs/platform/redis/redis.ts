import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { RedisSettings } from '../config/config.js';
import { isPrivateHost } from '../config/private-networks.js';
import { readRedisAddress } from '../config/redis-address.js';
import type { Logger } from '../logging/logger.js';

/** One Redis, or a cluster: both have the same commands. */
export type RedisClient = Redis | Cluster;

const RETRY_STEP_MS = 100;
const RETRY_MAX_MS = 1_000;
/** A hanging Redis must not hang requests; a healthy one answers in a fraction of this. */
const COMMAND_TIMEOUT_MS = 500;

/** A connection without an answer for so long is destroyed and opened anew: the network may drop packets silently. */
const SILENCE_MS = 2_000;
/** A worker's blocking read lasts 3 s; BullMQ resets the connection after 4 s, so this only backs it up. */
const BLOCKING_SILENCE_MS = 6_000;

/** While the nodes of a cluster agree on a new master, which takes some seconds after their own time-out (15 s by default). */
const FAILOVER_RETRY_MS = 250;
/** So a worker's command waits for a minute before it fails; its job then runs again. */
const FAILOVER_RETRIES = 240;
/** From a node that has handed its slots on to the one that has them, and once more. */
const REDIRECTIONS = 4;

const retryStrategy = (attempt: number) => Math.min(attempt * RETRY_STEP_MS, RETRY_MAX_MS);

/** Logs one line when Redis goes away and one when it is back, not one for every attempt. */
function logOutages<Client extends RedisClient>(redis: Client, logger: Logger): Client {
  let down = false;
  redis.on('error', (error: Error & { lastNodeError?: Error }) => {
    if (!down) logger.warn({ reason: (error.lastNodeError ?? error).message }, 'Redis is not reachable');
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.info('Redis is back');
    down = false;
  });
  return redis;
}

function logOutagesOfNodes(cluster: Cluster, logger: Logger): void {
  const down = new Set<string>();
  cluster.on('node error', (error: Error, node: string) => {
    if (!down.has(node)) logger.warn({ node, reason: error.message }, 'a node of the Redis cluster is not reachable');
    down.add(node);
  });
  cluster.on('+node', (connection: Redis) => {
    const node = `${connection.options.host}:${connection.options.port}`;
    connection.once('ready', () => {
      if (down.delete(node)) logger.info({ node }, 'a node of the Redis cluster is back');
    });
  });
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.+)\]$/, '$1');

type NodeOptions = Omit<NonNullable<ClusterOptions['redisOptions']>, 'replyMapping'>;

/** The options of a cluster's connections to its nodes. A node whose connection ends is found anew through the others. */
function nodeOptions(nodes: readonly URL[], options: NodeOptions): NodeOptions {
  const { protocol, username, password } = nodes[0] as URL;
  return {
    ...options,
    connectTimeout: SILENCE_MS,
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}

function openCluster(settings: RedisSettings, options: ClusterOptions, onRefused: (host: string) => void): Cluster {
  const { nodes = [] } = readRedisAddress(settings.url) ?? {};
  const addresses = nodes.map((node) => ({ host: hostOf(node), port: Number(node.port || 6379) }));
  const cluster = new Cluster(addresses, {
    ...options,
    // The name of a node, not one of its addresses: its certificate is about the name.
    dnsLookup: (name, callback) => callback(null, name),
    clusterRetryStrategy: retryStrategy,
    redisOptions: nodeOptions(nodes, options.redisOptions ?? {}),
  });
  // A cluster may name other nodes than the address does, so the rule of the address is applied to each. Its connection
  // opens with the first command, so nothing was sent yet.
  cluster.on('+node', (node: Redis) => {
    const { host = '', tls } = node.options;
    if (settings.staysPrivate !== true || tls !== undefined || isPrivateHost(host)) return;
    onRefused(host);
    node.disconnect();
  });
  // What silences one connection may silence all, and only a connection with a command under way is found to be silent.
  cluster.on('-node', () => {
    for (const node of cluster.nodes()) if (node.status === 'ready') node.ping().catch(() => undefined);
  });
  // BullMQ duplicates a worker's connection for its blocking reads. The rule holds for these as well.
  const duplicate = (_nodes?: unknown, overridden?: ClusterOptions) => {
    const redisOptions = { ...options.redisOptions, ...overridden?.redisOptions, socketTimeout: BLOCKING_SILENCE_MS };
    return openCluster(settings, { ...options, redisOptions }, onRefused);
  };
  return Object.assign(cluster, { duplicate: duplicate as Cluster['duplicate'] });
}

const REFUSED_NODE =
  'the Redis cluster names a node outside the private networks: it gets no connection without rediss+cluster:// ' +
  '(or INSECURE_CONNECTIONS=redis)';

function connectToCluster(settings: RedisSettings, options: ClusterOptions, logger: Logger): Cluster {
  const refuse = (node: string) => logger.error({ node }, REFUSED_NODE);
  const cluster = logOutages(openCluster(settings, options, refuse), logger);
  logOutagesOfNodes(cluster, logger);
  return cluster;
}

const isCluster = ({ url }: RedisSettings) => readRedisAddress(url)?.isCluster === true;

/** For requests: without Redis a command fails at once, so that the caller can go on without it. */
export function connectForRequests(settings: RedisSettings, logger: Logger): RedisClient {
  const { patience = 1 } = settings;
  const times = { commandTimeout: COMMAND_TIMEOUT_MS * patience, socketTimeout: SILENCE_MS * patience };
  const options = { ...times, maxRetriesPerRequest: 1 };
  if (isCluster(settings)) {
    // No command waits for a new master: the time-out of commands does not count while none is sent.
    const atOnce = { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0, maxRedirections: REDIRECTIONS };
    return connectToCluster(settings, { ...atOnce, enableOfflineQueue: false, redisOptions: options }, logger);
  }
  return logOutages(new Redis(settings.url, { ...options, enableOfflineQueue: false, retryStrategy }), logger);
}

/** For messages: it subscribes again whenever Redis is back, and says nothing of outages, which other connections log. */
export function connectForMessages(settings: RedisSettings): RedisClient {
  const options = { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS };
  const redis = isCluster(settings)
    ? openCluster(settings, { redisOptions: options }, () => undefined)
    : new Redis(settings.url, { ...options, retryStrategy });
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
export function connectForWorkers(settings: RedisSettings, logger: Logger): RedisClient {
  const { patience = 1 } = settings;
  const options = { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS * patience };
  if (isCluster(settings)) {
    const patient = {
      retryDelayOnFailover: FAILOVER_RETRY_MS,
      retryDelayOnClusterDown: FAILOVER_RETRY_MS,
      maxRedirections: FAILOVER_RETRIES,
    };
    return connectToCluster(settings, { ...patient, redisOptions: options }, logger);
  }
  return logOutages(new WorkerRedis(settings.url, { ...options, retryStrategy }), logger);
}

/** For a check at the start: commands wait, and the caller ends the connection. */
export function connectForCheck(settings: RedisSettings, connectTimeout: number): RedisClient {
  const options = { maxRetriesPerRequest: null };
  if (isCluster(settings)) return openCluster(settings, { redisOptions: options }, () => undefined);
  return new Redis(settings.url, { ...options, connectTimeout, retryStrategy: () => FAILOVER_RETRY_MS });
}

/**
 * Calls back when Redis may have lost writes: when it is back, and when a node of a cluster is gone, because the replica
 * that takes over may lack the last of them.
 */
export function onPossibleLoss(redis: RedisClient, callback: () => void): { stop(): void } {
  const events = redis instanceof Cluster ? ['ready', '-node'] : ['ready'];
  for (const event of events) redis.on(event, callback);
  return { stop: () => events.forEach((event) => void redis.off(event, callback)) };
}
