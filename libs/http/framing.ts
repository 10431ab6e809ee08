import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { HttpError } from './errors.js';
import { READING } from './methods.js';

// Where a request ends decides where the next one on its connection begins. If two programs on the way read that end
// differently, a caller can hide a request of its own between those of others (request smuggling). Node's parser refuses
// most forms that can be read in two ways: both lengths, two lengths, bare line feeds, folded headers. `refuseFaultyFraming` refuses
// the others, `closeAfterAnswer` closes each connection on which an answer came before its request was read whole.

const BAD_REQUEST = 400;
/** The time in which a caller can read the answer while it still sends. A closed connection would lose the answer. */
const CLOSE_WITHIN_MS = 1_000;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Node takes the first one. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] as string;
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
  if (fault !== undefined) throw new HttpError(BAD_REQUEST, fault);
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
