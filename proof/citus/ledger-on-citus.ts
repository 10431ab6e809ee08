import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { applyMigrations } from '#platform/database/migrations.js';
import { type RunningPart, startNodePart } from '#tools/launcher/node-part.js';
import { citusWorkers, createCitusDatabase, dropCitusDatabase } from '#tools/services/citus-databases.js';
import { freePort } from '#tools/services/free-port.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import { describeExit } from '#tools/services/service-process.js';
import { webhookKeyIn } from '#tools/services/stored-secrets.js';
import type { CitusOptions } from './options.js';

/** Prisma takes 11 MB for each pool of a process on each node (docs/scaling.md). */
const FLAGS = ['--max-old-space-size=384'];

export interface Setting {
  readonly options: CitusOptions;
  readonly stopping: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
}

/** A ledger with one API and one worker. */
export interface ProofLedger {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly apiUrl: string;
  readonly apiPid: number;
  readonly folder: string;
}

/** Runs `use` with a new database of every node, which is dropped afterwards; when it is plain, no cluster yet. */
export async function withCitusDatabase<Result>(
  { options }: Setting,
  use: (databaseUrl: string, workers: readonly string[]) => Promise<Result>,
  isPlain = false,
): Promise<Result> {
  const workers = await citusWorkers(options.databaseUrl);
  const name = `ledger_proof_${randomBytes(6).toString('hex')}`;
  try {
    return await use(await createCitusDatabase(options.databaseUrl, workers, { name, isPlain }), workers);
  } finally {
    const nodes = options.thirdNode === undefined ? workers : [...workers, options.thirdNode];
    await dropCitusDatabase(options.databaseUrl, nodes, name);
  }
}

/** Runs `use` with a ledger on the empty database. Fails when a part of it ends meanwhile. */
export async function withLedger<Result>(
  { env, stopping }: Setting,
  databaseUrl: string,
  use: (ledger: ProofLedger) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ledger-citus-'));
  const undo: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  try {
    const redis = await startPrivateRedis({ dataDir: path.join(folder, 'redis'), log: () => undefined });
    undo.push(() => redis.stop());
    await applyMigrations(databaseUrl);
    const port = await freePort();
    const settings = {
      ...env,
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      DATA_DIR: folder,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'fatal',
      BCRYPT_COST: '10',
      WEBHOOK_KEY: webhookKeyIn(folder),
      ALLOW_PRIVATE_WEBHOOKS: 'true',
    };
    const api = await startNodePart({ name: 'api', flags: FLAGS, env: { ...settings, PORT: String(port) }, stopping });
    undo.push(() => api.stop());
    const worker = await startNodePart({ name: 'worker', flags: FLAGS, env: settings, stopping });
    undo.push(() => worker.stop());
    const apiUrl = `http://127.0.0.1:${port}`;
    const used = use({ databaseUrl, redisUrl: redis.url, apiUrl, apiPid: api.pid, folder });
    return await Promise.race([used, endOf('API', api), endOf('worker', worker)]);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function endOf(name: string, { exited }: RunningPart): Promise<never> {
  throw new Error(`The ${name} ended unasked with ${describeExit(await exited)}; what it printed says why.`);
}
