import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// A client may send requests ahead, before it has read the answers to former ones (pipelining). Node hands each of them to the
// app at once: a connection that reads nothing would have a thousand answers made. So a few run at once for a connection, and
// the next ones wait until a former answer has been taken.

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
    // First Node decides whether the connection goes on.
    if (known.waiting.length > 0) setImmediate(() => this.#runWaiting(socket, known));
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
