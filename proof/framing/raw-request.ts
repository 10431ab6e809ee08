import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswers {
  /** All that came until the connection ended, or until the time was over. */
  readonly text: string;
  /** Whether the server ended the connection. */
  readonly isClosed: boolean;
}

/** Bytes for a socket; further pieces come in packets of their own. */
export type RawRequest = readonly string[];

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Sends bytes as they stand to a server on this machine, and reads what comes back. */
export async function sendRaw(port: number, request: RawRequest, withinMs: number): Promise<RawAnswers> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  let text = '';
  let isClosed = false;
  socket.setEncoding('latin1');
  socket.on('data', (piece) => {
    text += piece;
  });
  // A reset is an end, too.
  socket.on('error', () => {
    isClosed = true;
  });
  socket.on('end', () => {
    isClosed = true;
  });
  const closed = once(socket, 'close');
  const timer = setTimeout(() => socket.destroy(), withinMs);
  for (const piece of request) {
    if (socket.destroyed) break;
    await new Promise((resolve) => socket.write(bytesOf(piece), resolve));
  }
  await closed;
  clearTimeout(timer);
  return { text, isClosed };
}

/** The status of each answer in the text. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)).filter((status) => status !== 100);
