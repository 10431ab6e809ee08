import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassingStartError } from '#platform/errors/start-error.js';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the keep-alive of common proxies, so that they never write into a connection that we just closed. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const IDLE_SWEEP_MS = 50;
/** Whoever has not finished sending by then is cut off: the rest of the stop needs its time, too. */
const CLOSE_PATIENCE_MS = 8_000;
/** How often Node looks for requests that take too long; its default makes ten seconds up to forty. */
const TIMEOUT_CHECK_MS = 5_000;
const MAX_HEADER_BYTES = 16_384;

export interface RunningServer {
  readonly port: number;
  /** Takes no new connections, lets the requests in flight finish, closes idle connections at once. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

function listenFault(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new PassingStartError(`Port ${port} is already in use: stop what uses it, or choose another one.`);
}

function listening(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, port)));
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

export async function serve(listener: RequestListener, options: ListenOptions): Promise<RunningServer> {
  let closing = false;
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    (request, response) => {
      // A kept-alive connection would hold up the stop: tell its client to open no further request on it.
      if (closing) response.setHeader('Connection', 'close');
      listener(request, response);
    },
  );
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  await listening(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve, reject) => {
        closing = true;
        // A connection whose last request was in flight becomes idle only later, and would then be kept alive.
        const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
        const patience = setTimeout(() => server.closeAllConnections(), CLOSE_PATIENCE_MS);
        server.close((error) => {
          clearInterval(sweep);
          clearTimeout(patience);
          if (error) reject(error);
          else resolve();
        });
      }),
  };
}
