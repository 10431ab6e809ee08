import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createCitusDatabase, dropCitusDatabase, EMPTY_TEMPLATE, inDatabase } from '#tools/services/citus-databases.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

export async function runOnce(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return withPostgresClient({ connectionString: url }, async (client) => (await client.query(sql, values)).rows);
}

/** Enough for tests whose queries wait for each other's locks. */
const CONNECTIONS = 20;

/** Connections that stay open: tests poll, and opening a connection costs more than most queries. */
function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, allowExitOnIdle: true });
  pool.on('error', () => undefined); // a test may end the server's side of an idle connection
  return pool;
}
/** Host and port of each node that holds shards, when the proof runs these tests on a Citus cluster. */
// biome-ignore lint/style/noProcessEnv: the environment is the only way to pass values to test processes
const citusNodes = (): string[] => process.env.TEST_CITUS_NODES?.split(',') ?? [];

/** Creates a database, empty or cloned. Tests never touch other databases of the server. */
export async function createDatabase(serverUrl: string, template = EMPTY_TEMPLATE): Promise<TestDatabase> {
  const name = `ledger_test_${randomBytes(8).toString('hex')}`;
  const nodes = citusNodes();
  if (nodes.length > 0) await createCitusDatabase(serverUrl, nodes, { name, template });
  else await runOnce(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = inDatabase(serverUrl, name);
  const pool = openPool(url);
  return {
    name,
    url,
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    async drop() {
      await pool.end();
      if (nodes.length > 0) await dropCitusDatabase(serverUrl, nodes, name);
      else await runOnce(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** What a backup of this moment restores. It ends all connections to the database. */
export async function copyTestDatabase({ name }: TestDatabase): Promise<TestDatabase> {
  // biome-ignore lint/style/noProcessEnv: set by the global setup
  const { TEST_SERVER_URL: serverUrl = '' } = process.env;
  await runOnce(serverUrl, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  return createDatabase(serverUrl, name);
}

/** A migrated database, cloned from the template of this test run. */
export function createTestDatabase(): Promise<TestDatabase> {
  // biome-ignore lint/style/noProcessEnv: set by the global setup
  const { TEST_SERVER_URL, TEST_TEMPLATE } = process.env;
  return createDatabase(TEST_SERVER_URL ?? '', TEST_TEMPLATE);
}
