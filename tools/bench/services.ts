import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startNodePart } from '#tools/launcher/node-part.js';
import { freePort } from '#tools/services/free-port.js';
import { ledgerSettings, startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import { runProgram, SYSTEM_ENVIRONMENT } from '#tools/services/run-program.js';
import { type BenchDatabase, createDatabase } from './database.js';

export interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A compiled checkout. */
export interface Build {
  /** Creates a database with the build's migrations and without rows. */
  createDatabase(name: string): Promise<BenchDatabase>;
  startApi(database: BenchDatabase): Promise<Server>;
  startWorker(database: BenchDatabase): Promise<Server>;
}

export interface Services {
  /** `name` sets the build's databases apart. */
  openBuild(name: string, root: string): Promise<Build>;
  /** Creates a database without tables. */
  createBareDatabase(name: string): Promise<BenchDatabase>;
  readonly postgresPid: number;
}

export interface ServicesOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
  readonly stopping: AbortSignal;
}

type Undo = () => Promise<unknown>;

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
  const dataDir = path.join(folder, 'postgres');
  await mkdir(dataDir, { mode: 0o711 });
  const postgres = await startPrivatePostgres({ dataDir, settings: ledgerSettings, log: print });
  undo.push(() => postgres.stop());
  const redis = await startPrivateRedis({ dataDir: path.join(folder, 'redis'), log: print });
  undo.push(() => redis.stop());

  async function create(name: string, template?: string): Promise<BenchDatabase> {
    const database = await createDatabase(postgres.url, name, template);
    undo.push(() => database.close());
    return database;
  }

  async function startPart(name: string, main: string, database: BenchDatabase): Promise<Server> {
    const port = await freePort();
    const settings = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      RATE_LIMITS: 'off',
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      REDIS_PREFIX: database.name,
      // Required in production; no mail is sent, and no metrics are read.
      SMTP_URL: 'smtp://127.0.0.1:1',
      APP_URL: 'http://127.0.0.1',
      METRICS_TOKEN: 'metrics-token-of-the-bench',
      // A load leaves requests unanswered at its end, of which the API warns.
      LOG_LEVEL: 'error',
    };
    const { pid, ...part } = await startNodePart({ name, main, env: { ...env, ...settings }, stopping });
    undo.push(() => part.stop());
    return { port, pid, stop: () => part.stop() };
  }

  async function openBuild(name: string, root: string): Promise<Build> {
    const file = (of: string) => path.join(root, 'build', of);
    const template = await create(`${name}_template`);
    await migrate(pathToFileURL(file('libs/platform/database/migrations.js')).href, template.url);
    return {
      createDatabase: (of) => create(`${name}_${of}`, template.name),
      startApi: (database) => startPart('api', file('apps/api/main.js'), database),
      startWorker: (database) => startPart('worker', file('apps/worker/main.js'), database),
    };
  }

  return { openBuild, createBareDatabase: create, postgresPid: postgres.pid } satisfies Services;
}

/** In a process of its own: Prisma's engine for migrations cannot be loaded twice in one. */
async function migrate(module: string, url: string): Promise<void> {
  const script = `await (await import('${module}')).applyMigrations(process.env.DATABASE_URL); process.exit(0)`;
  const env = { ...SYSTEM_ENVIRONMENT, DATABASE_URL: url };
  const { succeeded, output } = await runProgram(process.execPath, ['--input-type=module', '-e', script], { env });
  if (!succeeded) throw new Error(`The migrations of ${module} failed:\n${output}`);
}
