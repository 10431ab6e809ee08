import { randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  createCitusDatabase,
  dropCitusDatabase,
  EMPTY_TEMPLATE,
  inDatabase,
  onNode,
} from '#tools/services/citus-databases.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

/** Where the rows of an account are: on a cluster, a node. */
export interface TestPlace {
  readonly url: string;
  /** The statement after which a transaction has them in sight. */
  readonly enter: string;
}

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** With the role of the parts. */
  readonly applicationUrl: string;
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Runs SQL of one account in a transaction where its rows are: on a cluster, statements that Citus does not plan. */
  queryOf(accountId: number, sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  placeOf(accountId: number): Promise<TestPlace>;
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

async function placeOnCluster(url: string, accountId: number): Promise<TestPlace> {
  const [place] = await runOnce(
    url,
    `SELECT shardid AS shard, n.nodename || ':' || n.nodeport AS host
       FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
      WHERE shardid = get_shard_id_for_distribution_column('users', $1::bigint)`,
    [accountId],
  );
  const shard = Number(place?.shard);
  const node = onNode(url, String(place?.host));
  await runOnce(node, 'SELECT placement.prepare($1)', [shard]);
  return { url: node, enter: `SELECT placement.enter(${shard})` };
}

async function runInPlace({ url, enter }: TestPlace, sql: string, values: unknown[]) {
  return withPostgresClient({ connectionString: url }, async (client) => {
    await client.query(`BEGIN; ${enter}`);
    const { rows } = await client.query(sql, values);
    await client.query('COMMIT');
    return rows;
  });
}

/** The same database with the role that the test run has made for the parts. */
export function asApplication(address: string): string {
  // biome-ignore lint/style/noProcessEnv: set by the global setup
  const role = process.env.TEST_APPLICATION_ROLE;
  const url = new URL(address);
  if (role) Object.assign(url, { username: role, password: role });
  return url.href;
}

/** Creates a database, empty or cloned. Tests never touch other databases of the server. */
export async function createDatabase(serverUrl: string, template = EMPTY_TEMPLATE): Promise<TestDatabase> {
  const name = `ledger_test_${randomBytes(8).toString('hex')}`;
  const nodes = citusNodes();
  if (nodes.length > 0) await createCitusDatabase(serverUrl, nodes, { name, template });
  else await runOnce(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = inDatabase(serverUrl, name);
  const pool = openPool(url);
  const placeOf = async (accountId: number): Promise<TestPlace> =>
    nodes.length > 0 ? placeOnCluster(url, accountId) : { url, enter: '' };
  return {
    name,
    url,
    applicationUrl: asApplication(url),
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    queryOf: async (accountId, sql, values = []) => runInPlace(await placeOf(accountId), sql, values),
    placeOf,
    async drop() {
      await pool.end();
      if (nodes.length > 0) await dropCitusDatabase(serverUrl, nodes, name);
      else await runOnce(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** How many connections to the database wait for a lock. */
export async function countLockWaits(database: Pick<TestDatabase, 'query'>): Promise<number> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await database.query(waiting)).length;
}

/** Runs the work while another transaction has executed the statement and holds its locks; `end` commits it before. */
export function holding<Result>(
  { url }: Pick<TestDatabase, 'url'>,
  statement: string,
  work: (end: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  return withPostgresClient({ connectionString: url }, async (client) => {
    await client.query(`BEGIN; ${statement}`);
    return work(() => client.query('COMMIT'));
  });
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
