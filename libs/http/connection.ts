import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { httpError } from './errors.js';
import { READING } from './methods.js';

// What a connection may send: requests that end where they say, and not too many ahead of their answers.

// Framing.

// Where a request ends decides where the next one on its connection begins. If two programs on the way read that end
// differently, a caller can hide a request of its own between those of others (request smuggling). Node's parser refuses
// most forms that can be read in two ways: both lengths, two lengths, bare line feeds, folded headers. `refuseFaultyFraming`
// refuses the others. `closeAfterAnswer` closes each connection on which an answer came before its request was read whole.

/** The time in which a caller can read the answer while it still sends. A closed connection would lose the answer. */
const CLOSE_WITHIN_MS = 1_000;

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Node takes the first one. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

function faultOf(request: IncomingMessage): string | undefined {
  const { method = '', headers, httpVersion, rawHeaders } = request;
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding !== 'chunked' || httpVersion !== '1.1')) {
    return 'The Transfer-Encoding must be chunked, in HTTP/1.1';
  }
  if (READING.has(method) && hasBody(request)) return `A ${method} request must not have a body`;
  return hasTwoHosts(rawHeaders) ? 'A request must have one Host' : undefined;
}

/** Refuses a request whose end or host could be read in two ways. */
export const refuseFaultyFraming: RequestHandler = (request, _response, next) => {
  const fault = faultOf(request);
  if (fault !== undefined) throw httpError('bad-framing', fault);
  next();
};

/** Whether the caller may still send a part of the request that is to be answered now. */
export const isUnread = (request: IncomingMessage): boolean => !request.readableEnded && hasBody(request);

const closing = new WeakSet<Socket>();

/** Whether requests that come on this connection get no answer any more. */
export const isClosing = (socket: Socket): boolean => closing.has(socket);

/** Closes the connection of the request after its answer. */
export function closeAfterAnswer(request: IncomingMessage): void {
  const { socket } = request;
  if (closing.has(socket)) return;
  closing.add(socket);
  // Node calls this after the answer. Its own way resets the connection when unread bytes have come.
  socket.destroySoon = () => {
    request.resume();
    socket.end(() => {
      if (request.readableEnded) return void socket.destroy();
      const timer = setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS);
      socket.once('close', () => clearTimeout(timer));
      request.once('end', () => socket.destroy());
    });
  };
}

// Requests ahead.

// A client may send requests ahead, before it has read the answers to earlier ones (pipelining). Node hands each of them to
// the app at once, so a connection that reads nothing could have a thousand answers made. Here only a few requests of a
// connection run at once, and the next ones wait until an earlier answer has been taken.

/** As many as ordinary clients send ahead. They run at once and share groups of the ledger. */
const RUNNING = 16;
/** While so many bytes are unread, no further answer is made for the connection. */
const UNREAD_BYTES = 64 * 1_024;
/** Of a connection. One packet of the smallest requests has more than a thousand. */
const WAITING = 256;
const WAITING_OF_ALL = 4_096;

type Run = (request: IncomingMessage, response: ServerResponse) => void;

interface Connection {
  /** In the order of their answers. */
  readonly running: ServerResponse[];
  readonly waiting: ServerResponse[];
}

const connection = Symbol('connection');
type Known = Socket & { [connection]?: Connection };

/** Bytes of answers that the kernel has not taken, those among them that wait for the answer before them. */
export function unreadBytesOn(socket: Socket): number {
  let bytes = socket.writableLength;
  // The first answer is the one that the socket writes.
  for (const response of (socket as Known)[connection]?.running ?? []) {
    if (response.socket === null) bytes += response.writableLength;
  }
  return bytes;
}

export class RequestsAhead {
  #waiting = 0;

  constructor(private readonly run: Run) {}

  /** Runs a request, now or when the answers before it have been taken. */
  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    if (socket.destroyed) return;
    const known = this.#of(socket);
    if (known.waiting.length === 0 && this.#hasRoom(socket, known)) {
      known.running.push(response);
      this.run(request, response);
    } else if (known.waiting.length >= WAITING || this.#waiting >= WAITING_OF_ALL) {
      socket.resetAndDestroy();
    } else {
      known.waiting.push(response);
      this.#waiting += 1;
      socket.pause();
    }
  };

  /** An answer of the connection has been taken whole. Answers are taken in the order of their requests. */
  answered(socket: Socket): void {
    const known = (socket as Known)[connection];
    if (known === undefined) return;
    known.running.shift();
    // First Node decides whether it closes the connection.
    if (known.waiting.length > 0) setImmediate(() => this.#runWaiting(socket, known));
  }

  /** Whether the connection writes an answer. */
  hasBegunAnswer(socket: Socket): boolean {
    return (socket as Known)[connection]?.running[0]?.headersSent ?? false;
  }

  #of(socket: Known): Connection {
    const found = socket[connection];
    if (found !== undefined) return found;
    const made = { running: [], waiting: [] };
    socket[connection] = made;
    socket.once('close', () => {
      this.#waiting -= made.waiting.length;
      made.waiting.length = 0;
    });
    return made;
  }

  #hasRoom(socket: Socket, { running }: Connection): boolean {
    if (running.length === 0) return true;
    return running.length < RUNNING && unreadBytesOn(socket) < UNREAD_BYTES;
  }

  #runWaiting(socket: Socket, known: Connection): void {
    while (this.#hasRoom(socket, known)) {
      const response = socket.destroyed || socket.writableEnded ? undefined : known.waiting.shift();
      if (response === undefined) break;
      this.#waiting -= 1;
      known.running.push(response);
      this.run(response.req, response);
    }
    if (known.waiting.length === 0) socket.resume();
    else socket.pause();
  }
}
