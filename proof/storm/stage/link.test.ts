import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '#testing/wait-for.js';
import { freePort } from '#tools/services/free-port.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import { Link } from './link.js';

const ANSWER = 'x'.repeat(1_000);

/** Answers every message with the same text. */
let server: Server;
let served: Set<Socket>;
let saysGoodBye: boolean;
let link: Link;

beforeEach(async () => {
  served = new Set();
  saysGoodBye = true;
  server = createServer({ allowHalfOpen: true }, (socket) => {
    served.add(socket);
    socket.on('end', () => saysGoodBye && socket.end());
    socket.on('data', () => socket.write(ANSWER));
    socket.on('error', () => undefined); // resets are what these tests are about
    socket.on('close', () => served.delete(socket));
  });
  const targetPort = await freePort();
  server.listen(targetPort, '127.0.0.1');
  await once(server, 'listening');
  link = await Link.open({ port: await freePort(), targetPort });
});

afterEach(() => {
  link.close();
  server.close();
});

interface Caller {
  readonly socket: Socket;
  received: number;
  /** How it ended: the code of an error, or `end`. */
  ending?: string | undefined;
}

function call(): Caller {
  const socket = connect(link.port, '127.0.0.1');
  const caller: Caller = { socket, received: 0 };
  socket.on('data', (bytes) => {
    caller.received += bytes.length;
  });
  socket.on('end', () => {
    caller.ending ??= 'end';
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    caller.ending ??= error.code;
  });
  return caller;
}

async function callAndBeAnswered(): Promise<Caller> {
  const caller = call();
  caller.socket.write('hello');
  await waitFor(() => caller.received === ANSWER.length);
  return caller;
}

/** Chooses every connection, and lets so much of its last answer pass. */
const choosing = (percent: number): SeededRandom => ({
  ...createSeededRandom(1),
  happens: () => true,
  below: () => percent,
});

describe('a link', () => {
  it('passes bytes and polite ends in both directions', async () => {
    const caller = await callAndBeAnswered();
    caller.socket.end();
    await waitFor(() => served.size === 0);
    await waitFor(() => caller.ending === 'end');
    expect(caller.received).toBe(ANSWER.length);
  });

  it('cuts in the middle of an answer', async () => {
    const caller = await callAndBeAnswered();
    link.markForCut({ share: 1, chance: choosing(40) });
    caller.socket.write('again');
    await waitFor(() => caller.ending);
    expect(caller).toMatchObject({
      received: 1.4 * ANSWER.length,
      ending: expect.stringMatching(/^(ECONNRESET|end)$/),
    });
    await waitFor(() => served.size === 0);
  });

  it('cuts those who are sent nothing at last, and only those that were chosen', async () => {
    const [chosen, spared] = [await callAndBeAnswered(), await callAndBeAnswered()];
    let asked = 0;
    const first = { ...choosing(0), happens: () => ++asked === 1 };
    link.markForCut({ share: 0.5, chance: first });
    expect(chosen.ending).toBeUndefined();
    link.cutMarked();
    await waitFor(() => chosen.ending === 'ECONNRESET');
    spared.socket.write('still there?');
    await waitFor(() => spared.received === 2 * ANSWER.length);
    spared.socket.destroy();
  });

  it('holds everything back, new connections too, and loses nothing', async () => {
    const early = await callAndBeAnswered();
    link.hold();
    const late = call();
    for (const { socket } of [early, late]) socket.write('anybody?');
    // Whatever goes another way is faster.
    const unheld = await Link.open({ port: await freePort(), targetPort: (server.address() as { port: number }).port });
    const other = connect(unheld.port, '127.0.0.1').on('error', () => undefined);
    for (let turn = 0; turn < 3; turn += 1) {
      other.write('hello');
      await once(other, 'data');
    }
    expect([early.received, late.received]).toEqual([ANSWER.length, 0]);
    link.release();
    await waitFor(() => early.received === 2 * ANSWER.length && late.received === ANSWER.length);
    unheld.close();
  });

  it('refuses for a while, and keeps its port', async () => {
    const inside = await callAndBeAnswered();
    link.refuse();
    await waitFor(() => inside.ending === 'ECONNRESET');
    const outside = call();
    await waitFor(() => outside.ending === 'ECONNRESET');
    await expect(Link.open({ port: link.port, targetPort: link.port })).rejects.toThrow('EADDRINUSE');
    link.accept();
    (await callAndBeAnswered()).socket.destroy();
  });

  it('cuts also those of which one half has said good-bye', async () => {
    saysGoodBye = false;
    const caller = await callAndBeAnswered();
    const [atServer] = served;
    caller.socket.end();
    await waitFor(() => atServer?.readableEnded);
    link.refuse();
    await waitFor(() => caller.ending);
    atServer?.write('anybody?');
    await waitFor(() => served.size === 0);
  });

  it('resets its callers when there is no server', async () => {
    const caller = await callAndBeAnswered();
    server.close();
    for (const socket of served) socket.destroy();
    await waitFor(() => caller.ending);
    const next = call();
    await waitFor(() => next.ending === 'ECONNRESET');
  });
});
