import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePort, isPortFree } from './free-port.js';

test('a port is free until a server listens there', async () => {
  const port = await freePort();
  expect(await isPortFree(port, '127.0.0.1')).toBe(true);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await isPortFree(port, '127.0.0.1')).toBe(false);
  expect(await isPortFree(port)).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await isPortFree(port)).toBe(true);
});
