import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Response } from 'express';
import { ERROR_HEADER } from './error-headers.js';
import { type HttpRefusalCode, httpRefusals } from './http-refusals.js';

// Node refuses some requests by itself, before the app sees them. These answers have a code like all others.

/** By the code of the error of Node's parser, or of its timer. */
const ofParser: Readonly<Record<string, HttpRefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** Answers as Node would, unless the answer to an earlier request has begun on the connection. */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex, hasBegun: boolean): void {
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
export function nameNodeRefusal(response: ServerResponse, status: number): void {
  if ((response as Partial<Response>).locals !== undefined) return;
  const code = ofRequests[status];
  if (code !== undefined) response.setHeader(ERROR_HEADER, code);
}
