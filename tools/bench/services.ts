import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyMigrations } from '#platform/database/migrations.js';
import { startNodePart } from '#tools/launcher/node-part.js';
import { freePort } from '#tools/services/free-port.js';
import { ledgerSettings, startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import { type BenchDatabase, createDatabase } from './database.js';

const TEMPLATE = 'bench_template';
/** The bench reads the metrics of the API. */
export const METRICS_TOKEN = 'metrics-token-of-the-bench';

export interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Variables of the environment. */
export type Settings = Readonly<Record<string, string>>;

export interface Services {
  /** Creates a migrated database without rows. */
  createDatabase(name: string): Promise<BenchDatabase>;
  /** Creates a database without tables. */
  createBareDatabase(name: string): Promise<BenchDatabase>;
  startApi(database: BenchDatabase, settings?: Settings): Promise<Server>;
  startWorker(database: BenchDatabase, settings?: Settings): Promise<Server>;
  /** The process of the console, on an API. */
  startDashboard(database: BenchDatabase, api: Server): Promise<Server>;
  startEmptyRoute(): Promise<Server>;
  /** A BullMQ worker whose jobs do nothing. */
  startEmptyWorker(settings: Settings): Promise<Server>;
  readonly postgresUrl: string;
  readonly postgresPid: number;
  /** Shared by all databases; the keys of each begin with its name. */
  readonly redisUrl: string;
  /** Holds the files of both. */
  readonly dataFolder: string;
}

export interface ServicesOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
  readonly stopping: AbortSignal;
}

type Undo = () => Promise<void>;

const mainIn = (folder: string) => fileURLToPath(new URL(`${folder}/main.js`, import.meta.url));

/** Everything runs on free ports, with its data in a temporary folder that is deleted at the end. */
export async function withServices(
  options: ServicesOptions,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  const undo: Undo[] = [];
  try {
    // TMPDIR chooses the disk that the figures depend on.
    const folder = await mkdtemp(path.join(os.tmpdir(), 'ledger-bench-'));
    undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await work(await startServices(options, folder, undo));
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function startServices({ env, print, stopping }: ServicesOptions, folder: string, undo: Undo[]) {
  const postgresFolder = path.join(folder, 'postgres');
  await mkdir(postgresFolder, { mode: 0o711 });
  const postgres = await startPrivatePostgres({ dataDir: postgresFolder, settings: ledgerSettings, log: print });
  undo.push(() => postgres.stop());
  const redis = await startPrivateRedis({ dataDir: path.join(folder, 'redis'), log: print });
  undo.push(() => redis.stop());
  const template = await createDatabase(postgres.url, TEMPLATE);
  await applyMigrations(template.url);

  async function startPart(name: string, settings: Settings, main?: string): Promise<Server> {
    const port = await freePort();
    const partEnv = { ...env, ...settings, PORT: String(port), DASHBOARD_PORT: String(port) };
    const part = await startNodePart({ name, env: partEnv, stopping, ...(main === undefined ? {} : { main }) });
    undo.push(() => part.stop());
    return { port, pid: part.pid, stop: () => part.stop() };
  }

  const settingsFor = (database: BenchDatabase) => ({
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    REDIS_PREFIX: database.name,
    DATA_DIR: folder,
    // Required in production; no mail is sent, and no metrics are read.
    SMTP_URL: 'smtp://127.0.0.1:1',
    APP_URL: 'http://127.0.0.1',
    METRICS_TOKEN,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  });
  async function createFrom(from: string | undefined, name: string): Promise<BenchDatabase> {
    const database = await createDatabase(postgres.url, name, from);
    undo.push(() => database.close());
    return database;
  }

  const services: Services = {
    createDatabase: (name) => createFrom(TEMPLATE, name),
    createBareDatabase: (name) => createFrom(undefined, name),
    startApi: (database, settings) => startPart('api', { ...settingsFor(database), ...settings }),
    startWorker: (database, settings) => startPart('worker', { ...settingsFor(database), ...settings }),
    startDashboard: (database, { port }) =>
      startPart('dashboard', { ...settingsFor(database), API_URL: `http://127.0.0.1:${port}` }),
    startEmptyRoute: () => startPart('empty route', {}, mainIn('empty-route')),
    startEmptyWorker: (settings) =>
      startPart('empty worker', { ...settings, REDIS_URL: redis.url }, mainIn('empty-worker')),
    postgresUrl: postgres.url,
    postgresPid: postgres.pid,
    redisUrl: redis.url,
    dataFolder: folder,
  };
  return services;
}
