import { withPostgresClient } from './with-postgres-client.js';

// A database of a Citus cluster is a database of the same name on every node.

export const EMPTY_TEMPLATE = 'template0';

/** The same database on another node. */
export const onNode = (url: string, host: string): string => Object.assign(new URL(url), { host }).href;

export const inDatabase = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;

const run = (url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  withPostgresClient({ connectionString: url }, async (client) => (await client.query(sql, values)).rows);

/** Host and port of each node that holds shards. */
export async function citusWorkers(coordinatorUrl: string): Promise<string[]> {
  const rows = await run(
    coordinatorUrl,
    `SELECT nodename || ':' || nodeport AS host FROM pg_dist_node WHERE shouldhaveshards AND isactive ORDER BY nodeid`,
  );
  return rows.map(({ host }) => String(host));
}

interface NewDatabase {
  readonly name: string;
  readonly template?: string;
  /** Without Citus. */
  readonly isPlain?: boolean;
}

/** Creates a database on every node: empty, or cloned from one of every node. */
export async function createCitusDatabase(
  coordinatorUrl: string,
  workers: readonly string[],
  { name, template = EMPTY_TEMPLATE, isPlain = false }: NewDatabase,
): Promise<string> {
  const url = inDatabase(coordinatorUrl, name);
  const nodes = [url, ...workers.map((host) => onNode(url, host))];
  for (const node of nodes) {
    const server = inDatabase(node, 'postgres');
    // A daemon of Citus is connected to a template that has the extension.
    await run(server, 'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [template]);
    await run(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  }
  if (!isPlain && template === EMPTY_TEMPLATE) await formCluster(url, workers);
  return url;
}

/** Makes the database a cluster's coordinator. */
export async function formCluster(url: string, workers: readonly string[]): Promise<void> {
  for (const node of [url, ...workers.map((host) => onNode(url, host))]) await run(node, 'CREATE EXTENSION citus');
  const { hostname, port } = new URL(url);
  await run(url, 'SELECT citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
  for (const host of workers) await addCitusNode(url, host);
}

export async function addCitusNode(url: string, host: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${host}`);
  await run(url, 'SELECT citus_add_node($1, $2)', [hostname, Number(port)]);
}

/** A node that has joined later holds the database as well; one that is down is left out. */
export async function dropCitusDatabase(coordinatorUrl: string, workers: readonly string[], name: string) {
  const server = inDatabase(coordinatorUrl, 'postgres');
  for (const node of [server, ...workers.map((host) => onNode(server, host))]) {
    await run(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => undefined);
  }
}
