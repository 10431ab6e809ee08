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

export interface Patience {
  /** For the first byte of an answer. */
  readonly firstMs: number;
  /** For more, after each byte that came. */
  readonly moreMs: number;
}

/** Sends bytes as they stand to a server on this machine, and reads what comes back. */
export async function sendRaw(port: number, request: RawRequest, { firstMs, moreMs }: Patience): Promise<RawAnswers> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  let text = '';
  let isClosed = false;
  let timer = setTimeout(() => socket.destroy(), firstMs);
  socket.setEncoding('latin1');
  socket.on('data', (piece) => {
    text += piece;
    clearTimeout(timer);
    timer = setTimeout(() => socket.destroy(), moreMs);
  });
  // A reset is an end, too.
  for (const kind of ['end', 'error']) {
    socket.on(kind, () => {
      isClosed = true;
    });
  }
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of request) {
    if (!socket.destroyed) await new Promise((resolve) => socket.write(bytesOf(piece), resolve));
  }
  await closed;
  clearTimeout(timer);
  return { text, isClosed };
}

/** The status of each answer in the text. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)).filter((status) => status !== 100);
