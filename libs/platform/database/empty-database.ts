import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Runs `use` with the address of a new, empty database on the same server, and drops it afterwards. */
export async function withEmptyDatabase<Result>(
  serverUrl: string,
  use: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const name = `scratch_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return await use(url.href);
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.end();
  }
}
