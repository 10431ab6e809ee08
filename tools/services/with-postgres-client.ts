import pg from 'pg';

/** Opens a connection for `use` alone. */
export async function withPostgresClient<Result>(
  config: pg.ClientConfig,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(config);
  client.on('error', () => undefined); // the server may stop while the connection is idle
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
