import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { admitApplication, applyMigrations } from '#platform/database/migrations.js';
import { ensurePgbouncer, startPrivatePgbouncer } from '#tools/services/private-pgbouncer.js';
import { startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import { asApplication, createDatabase } from './databases.js';
import globalTeardown, { testRun } from './global-teardown.js';

/** Two APIs together open more to PgBouncer. Enough for tests whose transactions wait for each other. */
const POOL_SIZE = 16;

/** Uses the servers of DATABASE_URL and REDIS_URL for the whole run, or starts private ones in a temporary folder. */
// biome-ignore lint/style/noDefaultExport: Jest requires it
export default async function globalSetup(): Promise<void> {
  // Jest has no handler: without this one, a signal would leave servers and files behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void globalTeardown().finally(() => process.exit(1)));
  }
  try {
    await start();
  } catch (error) {
    await globalTeardown();
    throw error;
  }
}

async function start(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'betting-ledger-test-'));
  testRun.folder = folder;
  // biome-ignore lint/style/noProcessEnv: the environment is the only way to pass values to test processes
  const env = process.env;
  if (!env.DATABASE_URL) {
    testRun.postgres = await startPrivatePostgres({ dataDir: path.join(folder, 'postgres'), durable: false });
  }
  if (!env.REDIS_URL)
    testRun.redis = await startPrivateRedis({ dataDir: path.join(folder, 'redis'), persistent: false });
  env.TEST_SERVER_URL = testRun.postgres?.url ?? env.DATABASE_URL;
  env.TEST_REDIS_URL = testRun.redis?.url ?? env.REDIS_URL;
  const template = await createDatabase(env.TEST_SERVER_URL ?? '');
  testRun.template = template;
  await applyMigrations(template.url);
  env.TEST_TEMPLATE = template.name;
  // On a Citus cluster the parts use the owner's role.
  if (!env.TEST_CITUS_NODES) {
    env.TEST_APPLICATION_ROLE = template.name.replace('test', 'app');
    await admitApplication(template.url, asApplication(template.url));
  }
  if (env.TEST_THROUGH_PGBOUNCER) {
    const program = await ensurePgbouncer();
    if (program === undefined) throw new Error('PgBouncer is not installed, and cannot be without asking.');
    const options = { dataDir: path.join(folder, 'pgbouncer'), postgresUrl: asApplication(env.TEST_SERVER_URL ?? '') };
    testRun.pgbouncer = await startPrivatePgbouncer(program, { ...options, poolSize: POOL_SIZE });
    env.TEST_PGBOUNCER_URL = testRun.pgbouncer.url;
  }
}
