import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { PassingStartError } from '#platform/errors/start-error.js';
import { createTestDatabase } from '#testing/databases.js';
import { assertMigrated } from './start-checks.js';

/** What PostgreSQL says once a connection may be used. */
const READY_FOR_QUERY = Buffer.from('Z\0\0\0\x05I');

it('a start does not wait for a connection that goes silent', async () => {
  const database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.pipe(server);
    client.on('error', () => server.destroy());
    client.on('close', () => server.destroy());
    server.on('data', (answer) => {
      client.write(answer);
      if (answer.includes(READY_FOR_QUERY)) server.pause();
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    const silent = new URL(database.url);
    silent.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await assertMigrated(database.url);
    await expect(assertMigrated(silent.href)).rejects.toThrow(PassingStartError);
  } finally {
    proxy.close();
    await database.drop();
  }
});
