import pg from 'pg';
import { inDatabase } from '#tools/services/citus-databases.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

/** A database that the benchmark has created for itself. */
export interface BenchDatabase {
  readonly name: string;
  readonly url: string;
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Seeding is not measured, so it need not wait for the disk. */
const QUICK_COMMITS = "SET synchronous_commit = off; SET work_mem = '128MB'; SET maintenance_work_mem = '512MB'";

export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<BenchDatabase> {
  const from = template === undefined ? '' : ` TEMPLATE ${template}`;
  await withPostgresClient({ connectionString: serverUrl }, (administrator) =>
    administrator.query(`CREATE DATABASE ${name}${from}`),
  );
  const url = inDatabase(serverUrl, name);
  let client: pg.Client | undefined;
  return {
    name,
    url,
    async query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]) {
      if (client === undefined) {
        client = await openClient(url);
        await client.query(QUICK_COMMITS);
      }
      return (await client.query<Row>(sql, values === undefined ? undefined : [...values])).rows;
    },
    async close() {
      await client?.end();
      client = undefined;
    },
  };
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' });
  client.on('error', () => undefined); // the server may stop while this is idle
  await client.connect();
  return client;
}
