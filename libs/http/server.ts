import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the keep-alive of common proxies, so that they never write into a connection that we just closed. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const IDLE_SWEEP_MS = 50;
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

function listening(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

export async function serve(listener: RequestListener, options: ListenOptions): Promise<RunningServer> {
  let closing = false;
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    // A kept-alive connection would hold up the stop: tell its client to open no further request on it.
    if (closing) response.setHeader('Connection', 'close');
    listener(request, response);
  });
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
        server.close((error) => {
          clearInterval(sweep);
          if (error) reject(error);
          else resolve();
        });
      }),
  };
}
