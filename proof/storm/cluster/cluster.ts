import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { queueDefinitions } from '#jobs/queues.js';
import { applyMigrations } from '#platform/database/migrations.js';
import { nodeFlags } from '#platform/process/node-flags.js';
import { freePort } from '#tools/services/free-port.js';
import { ledgerSettings, startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import { webhookKeyIn } from '#tools/services/stored-secrets.js';
import { launchAs } from '#tools/services/system-account.js';
import { SETTLEMENT } from '../checks/replay/ledger-requests.js';
import type { Recovery } from '../faults/recovery-watch.js';
import { apiInService, type InService, workerInService } from './in-service.js';
import { PostgresPair } from './postgres-pair.js';
import { openRedisAccess, type RedisAccess } from './redis-access.js';
import { RestartableService } from './restartable-service.js';
import { SupervisedProcess } from './supervised-process.js';
import { TcpProxy } from './tcp-proxy.js';

export const apiNames = ['api-1', 'api-2'] as const;
export const workerNames = ['worker-1', 'worker-2'] as const;
export const processNames = [...apiNames, ...workerNames] as const;

export type ProcessName = (typeof processNames)[number];

const HOUR_MS = 3_600_000;
/** By how much the clock of a process is off. No time of the ledger comes from it. */
const clocksOffMs: Partial<Record<ProcessName, number>> = { 'api-2': -HOUR_MS, 'worker-2': HOUR_MS };

/** The processes and services into which the storm injects faults. */
export interface Cluster {
  readonly processes: Readonly<Record<ProcessName, ClusterProcess>>;
  /** Between the clients and the APIs. */
  readonly apiProxies: ReadonlyMap<ProcessName, TcpProxy>;
  readonly postgres: PostgresService;
  readonly redis: RestartableService;
  readonly redisAccess: RedisAccess;
  readonly mailFolder: string;
  close(): Promise<void>;
}

export interface ClusterProcess {
  readonly supervised: SupervisedProcess;
  readonly inService: InService;
  /** The parts of being in service, each with its description. */
  readonly duties: ReadonlyMap<string, InService>;
  /** Its own proxies to the services, so that it can be cut off alone. */
  readonly proxies: Readonly<Record<'PostgreSQL' | 'Redis', TcpProxy>>;
}

/** One server, or a pair behind one address. */
export type PostgresService = Pick<RestartableService, 'url' | 'port' | 'restart' | 'stop'> &
  Partial<Pick<PostgresPair, 'takeOver' | 'standbyUrl'>>;

export interface ClusterOptions {
  /** Holds all files of the storm. */
  readonly folder: string;
  /** Whether PostgreSQL has a standby. */
  readonly standby: boolean;
  /** Writes the starts and ends of processes. */
  readonly log: (text: string) => void;
  /** Called when a service answers again. */
  readonly onRecovery: (recovery: Recovery) => void;
  /** Called when a process or service misbehaves. */
  readonly onFault: (text: string) => void;
}

/**
 * As in production, except that small wagers are settled in several chunks, rate limits allow all load from one
 * address, and webhooks go to receivers on this machine.
 */
const SETTINGS = {
  ...SETTLEMENT,
  BCRYPT_COST: '10',
  RATE_LIMITS: 'account=200000/10s,address=200000/10s',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  LOG_LEVEL: 'warn',
};

type Undo = (() => unknown)[];

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const undo: Undo = [];
  const close = () => undoAll(undo);
  try {
    return { ...(await build(options, undo)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Undoes every step, the last first, even when one fails. */
async function undoAll(undo: Undo): Promise<void> {
  const errors: unknown[] = [];
  for (const step of undo.reverse()) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Some parts of the cluster could not be closed.');
}

async function build(options: ClusterOptions, undo: Undo): Promise<Omit<Cluster, 'close'>> {
  const { folder, log, onFault } = options;
  const { postgres, redis } = await startServices(options, undo);
  const redisAccess = openRedisAccess(redis.url);
  undo.push(() => redisAccess.close());

  const openProxy = async (targetPort: number) => {
    const proxy = await TcpProxy.open({ port: await freePort(), targetPort });
    undo.push(() => proxy.close());
    return proxy;
  };
  const apiProxies = new Map<ProcessName, TcpProxy>();

  async function startProcess(name: ProcessName): Promise<ClusterProcess> {
    const isApi = name.startsWith('api');
    const port = await freePort();
    const proxies = { PostgreSQL: await openProxy(postgres.port), Redis: await openProxy(redis.port) };
    if (isApi) apiProxies.set(name, await openProxy(port));
    const supervised = new SupervisedProcess({
      name,
      launch: await launchOf(isApi ? 'api' : 'worker', clocksOffMs[name]),
      env: {
        ...SETTINGS,
        [isApi ? 'PORT' : 'WORKER_METRICS_PORT']: String(port),
        DATABASE_URL: proxies.PostgreSQL.through(postgres.url),
        READ_DATABASE_URL: postgres.standbyUrl ?? '',
        REDIS_URL: proxies.Redis.through(redis.url),
        DATA_DIR: folder,
        WEBHOOK_KEY: webhookKeyIn(folder),
      },
      logFile: path.join(folder, `${name}.log`),
      log,
      onFault,
    });
    undo.push(() => supervised.stop());
    await supervised.started();
    return { supervised, proxies, ...(isApi ? watchOnApi(port) : watchOnWorker(port, redisAccess)) };
  }

  const started = await Promise.allSettled(processNames.map(async (name) => [name, await startProcess(name)] as const));
  // Wait for all, so that `close` finds every process that was started.
  const entries = started.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const processes = Object.fromEntries(entries) as Record<ProcessName, ClusterProcess>;
  return { processes, apiProxies, postgres, redis, redisAccess, mailFolder: path.join(folder, 'mail') };
}

/** The death signal ends the process with this one, even when it is paused. */
export function launchOf(app: 'api' | 'worker', clockOffMs = 0) {
  const main = fileURLToPath(new URL(`../../../apps/${app}/main.js`, import.meta.url));
  const clock = new URL(`./shifted-clock.js?offMs=${clockOffMs}`, import.meta.url).href;
  const shifted = clockOffMs === 0 ? [] : ['--import', clock];
  return launchAs(process.execPath, [...nodeFlags, ...shifted, main], { account: undefined, deathSignal: 'SIGKILL' });
}

function watchOnApi(port: number): Pick<ClusterProcess, 'inService' | 'duties'> {
  const inService = apiInService(port);
  return { inService, duties: new Map([['answer that it is ready', inService]]) };
}

function watchOnWorker(metricsPort: number, { addJob }: RedisAccess): Pick<ClusterProcess, 'inService' | 'duties'> {
  const address = { metricsPort, addJob };
  const queues = queueDefinitions.map(({ name }) => name);
  const duties = queues.map(
    (queue) => [`complete jobs of the queue ${queue}`, workerInService(address, [queue])] as const,
  );
  return { inService: workerInService(address, queues), duties: new Map(duties) };
}

function startPostgres({ folder, standby, onRecovery, onFault }: ClusterOptions): Promise<PostgresService> {
  const postgresFolder = path.join(folder, 'postgres');
  mkdirSync(postgresFolder, { mode: 0o711 });
  if (standby) return PostgresPair.open({ folder: postgresFolder, settings: ledgerSettings, onRecovery, onFault });
  return RestartableService.open({
    name: 'PostgreSQL',
    start: (port) => startPrivatePostgres({ dataDir: postgresFolder, settings: ledgerSettings, ...portOf(port) }),
    onRecovery,
    onFault,
  });
}

async function startServices(options: ClusterOptions, undo: Undo) {
  const { folder, onRecovery, onFault } = options;
  const postgres = await startPostgres(options);
  undo.push(() => postgres.stop());
  const redisFolder = path.join(folder, 'redis');
  const redis = await RestartableService.open({
    name: 'Redis',
    start: (port) => startPrivateRedis({ dataDir: redisFolder, persistent: false, ...portOf(port) }),
    onRecovery,
    onFault,
  });
  undo.push(() => redis.stop());
  await applyMigrations(postgres.url);
  return { postgres, redis };
}

const portOf = (port: number | undefined) => (port === undefined ? {} : { port });
