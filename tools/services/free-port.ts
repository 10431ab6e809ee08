import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports of outgoing connections: a client that retries while a server restarts could otherwise get the server's
// own port, and hold it.
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 29_999;
const TRIES = 100;

// Counted upwards: a port is drawn long before its server listens there, and must not be drawn twice meanwhile.
let nextPort = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT + 1));

function takePort(): number {
  const port = nextPort;
  nextPort = port === HIGHEST_PORT ? LOWEST_PORT : port + 1;
  return port;
}

/** Returns whether a server could listen there now. Without a host: on all addresses, as an Express app listens. */
export async function isPortFree(port: number, host?: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}

/** Returns a port of 127.0.0.1 on which no server listens, each time another one. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = takePort();
    if (await isPortFree(port, '127.0.0.1')) return port;
  }
  throw new Error(`No free port found between ${LOWEST_PORT} and ${HIGHEST_PORT}`);
}
