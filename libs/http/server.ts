import {
  createServer,
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express, Request, Response } from 'express';
import { PassingStartError } from '#platform/errors/start-error.js';
import { setListedHeaders } from './answer.js';
import { closeAfterAnswer, isClosing, isUnread, RequestsAhead } from './connection.js';
import { ERROR_HEADER } from './errors.js';
import { type HttpRefusalCode, httpRefusals } from './http-refusals.js';
import { LARGE_ANSWER, UnreadAnswers } from './unread-answers.js';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the keep-alive of common proxies, so that they never write into a connection that the server closed. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const IDLE_SWEEP_MS = 50;
/** A stop closes slower connections after this time, because its other steps need time as well. */
const CLOSE_PATIENCE_MS = 8_000;
/** The interval at which Node checks the timeouts above; its default of 30 s would make 10 s up to 40 s. */
const TIMEOUT_CHECK_MS = 5_000;
const MAX_HEADER_BYTES = 16_384;

export interface RunningServer {
  readonly port: number;
  /** Accepts no new connections, finishes the requests in flight, and closes idle connections at once. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/** What bounds the memory that readers who do not read can take. */
interface Bounds {
  readonly unread: UnreadAnswers;
  readonly ahead: RequestsAhead;
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

const SLASH = '/'.charCodeAt(0);

/** Express finds no path in some addresses, such as `foo://host`: it would answer these requests itself, without a log line. */
function hasPath(request: Request): boolean {
  try {
    return Boolean(request.path);
  } catch {
    return false;
  }
}

type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Express sets the prototype of each request and response (docs/decisions/0053-what-v8-likes.md): these have it already. */
function expressClasses(app: Express, { unread, ahead }: Bounds) {
  class Asked extends IncomingMessage {}
  class Answer extends ServerResponse {
    override writeHead(status: number, reason?: string | GivenHeaders, headers?: GivenHeaders): this {
      if (isUnread(this.req)) {
        this.shouldKeepAlive = false;
        closeAfterAnswer(this.req);
      }
      nameNodeRefusal(this, status);
      if (headers === undefined && (reason === undefined || typeof reason === 'string')) setListedHeaders(this);
      return super.writeHead(status, reason as string, headers);
    }
    override write(...given: unknown[]): boolean {
      const goesOn = super.write(...(given as [chunk: unknown]));
      if (!goesOn) unread.note(this);
      return goesOn;
    }
    override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
      if (typeof chunk === 'string' && chunk.length > LARGE_ANSWER) unread.pace(this, chunk.length);
      super.end(chunk, encoding as BufferEncoding, done as () => void);
      if (this.writableLength > 0) unread.note(this);
      return this;
    }
    override detachSocket(socket: Socket): void {
      super.detachSocket(socket);
      ahead.answered(socket);
    }
  }
  for (const [name, { prototype }] of [
    ['request', Asked],
    ['response', Answer],
  ] as const) {
    const ofExpress: object = Object.getPrototypeOf(app[name]);
    const methods = Object.getOwnPropertyDescriptors(ofExpress);
    Object.defineProperties(prototype, { ...methods, ...Object.getOwnPropertyDescriptors(app[name]) });
    Object.assign(app, { [name]: prototype });
  }
  return { IncomingMessage: Asked, ServerResponse: Answer };
}

export async function serve(
  app: Express,
  options: ListenOptions,
  unread: UnreadAnswers = new UnreadAnswers(),
): Promise<RunningServer> {
  let closing = false;
  const ahead = new RequestsAhead((request, response) => {
    if (isClosing(request.socket)) return;
    // A keep-alive connection would delay the stop, so the client must not send further requests on it.
    if (closing) response.setHeader('Connection', 'close');
    const { url = '' } = request;
    // There is no route of such a path.
    if (url.charCodeAt(0) !== SLASH && !hasPath(request as Request)) request.url = `/${url}`;
    app(request as Request, response as Response);
  });
  const server = createServer(
    {
      ...expressClasses(app, { unread, ahead }),
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // A flag of Node's command line would make it lenient.
      insecureHTTPParser: false,
    },
    ahead.take,
  );
  server.on('clientError', (error, socket) => refuseBroken(error, socket, ahead.hasBegunAnswer(socket as Socket)));
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listening(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve, reject) => {
        closing = true;
        // A connection with a request in flight becomes idle only later, and keep-alive would leave it open.
        const sweep = setInterval(() => {
          server.closeIdleConnections();
          // Browsers and proxies open connections ahead, and Node.js waits for the first request on each. One may have come while
          // this process was busy: its sockets are read before the next `setImmediate`.
          setImmediate(() => {
            for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
          });
        }, IDLE_SWEEP_MS);
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

// Node refuses some requests by itself, before the app sees them. These answers have a code like all others.

/** By the code of the error of Node's parser, or of its timer. */
const ofParser: Readonly<Record<string, HttpRefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** Answers as Node would, unless the answer to an earlier request has begun on the connection. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex, hasBegun: boolean): void {
  if (socket.writable && !hasBegun) {
    const code = ofParser[error.code ?? ''] ?? 'bad-framing';
    const [status] = httpRefusals[code];
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${ERROR_HEADER}: ${code}\r\nConnection: close\r\n\r\n`);
  }
  socket.destroy(error);
}

/** By status: no host, or an expectation that Node does not know. */
const ofRequests: Readonly<Record<number, HttpRefusalCode>> = { 400: 'bad-framing', 417: 'expectation-failed' };

/** Names the refusal when Node has written the answer: the app has not seen the request. */
function nameNodeRefusal(response: ServerResponse, status: number): void {
  if ((response as Partial<Response>).locals !== undefined) return;
  const code = ofRequests[status];
  if (code !== undefined) response.setHeader(ERROR_HEADER, code);
}
