import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '#testing/wait-for.js';
import { freePort } from '#tools/services/free-port.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import { TcpProxy } from './tcp-proxy.js';

const ANSWER = 'x'.repeat(1_000);

/** Answers every message with the same text. */
let server: Server;
let served: Set<Socket>;
let closesPolitely: boolean;
let proxy: TcpProxy;

beforeEach(async () => {
  served = new Set();
  closesPolitely = true;
  server = createServer({ allowHalfOpen: true }, (socket) => {
    served.add(socket);
    socket.on('end', () => closesPolitely && socket.end());
    socket.on('data', () => socket.write(ANSWER));
    socket.on('error', () => undefined); // these tests cause resets
    socket.on('close', () => served.delete(socket));
  });
  const targetPort = await freePort();
  server.listen(targetPort, '127.0.0.1');
  await once(server, 'listening');
  proxy = await TcpProxy.open({ port: await freePort(), targetPort });
});

afterEach(() => {
  proxy.close();
  server.close();
});

interface Caller {
  readonly socket: Socket;
  received: number;
  /** How it ended: the code of an error, or `end`. */
  ending?: string | undefined;
}

function call(): Caller {
  const socket = connect(proxy.port, '127.0.0.1');
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

/** Chooses every connection, and lets this share of its last answer pass. */
const choosing = (percent: number): SeededRandom => ({
  ...createSeededRandom(1),
  happens: () => true,
  below: () => percent,
});

describe('a proxy', () => {
  it('passes bytes and ends in both directions', async () => {
    const caller = await callAndBeAnswered();
    caller.socket.end();
    await waitFor(() => served.size === 0);
    await waitFor(() => caller.ending === 'end');
    expect(caller.received).toBe(ANSWER.length);
  });

  it('cuts during an answer', async () => {
    const caller = await callAndBeAnswered();
    proxy.markForCut({ share: 1, chance: choosing(40) });
    caller.socket.write('again');
    await waitFor(() => caller.ending);
    expect(caller).toMatchObject({
      received: 1.4 * ANSWER.length,
      ending: expect.stringMatching(/^(ECONNRESET|end)$/),
    });
    await waitFor(() => served.size === 0);
  });

  it('cuts chosen connections without traffic later, and no others', async () => {
    const [chosen, spared] = [await callAndBeAnswered(), await callAndBeAnswered()];
    let asked = 0;
    const first = { ...choosing(0), happens: () => ++asked === 1 };
    proxy.markForCut({ share: 0.5, chance: first });
    expect(chosen.ending).toBeUndefined();
    proxy.cutMarked();
    await waitFor(() => chosen.ending === 'ECONNRESET');
    spared.socket.write('still there?');
    await waitFor(() => spared.received === 2 * ANSWER.length);
    spared.socket.destroy();
  });

  it('stalls all bytes, on new connections too, and loses none', async () => {
    const early = await callAndBeAnswered();
    proxy.hold();
    const late = call();
    for (const { socket } of [early, late]) socket.write('hello?');
    // An unstalled proxy answers meanwhile.
    const unheld = await TcpProxy.open({
      port: await freePort(),
      targetPort: (server.address() as { port: number }).port,
    });
    const other = connect(unheld.port, '127.0.0.1').on('error', () => undefined);
    for (let turn = 0; turn < 3; turn += 1) {
      other.write('hello');
      await once(other, 'data');
    }
    expect([early.received, late.received]).toEqual([ANSWER.length, 0]);
    proxy.release();
    await waitFor(() => early.received === 2 * ANSWER.length && late.received === ANSWER.length);
    unheld.close();
  });

  it('refuses connections without giving up its port', async () => {
    const inside = await callAndBeAnswered();
    proxy.refuse();
    await waitFor(() => inside.ending === 'ECONNRESET');
    const outside = call();
    await waitFor(() => outside.ending === 'ECONNRESET');
    await expect(TcpProxy.open({ port: proxy.port, targetPort: proxy.port })).rejects.toThrow('EADDRINUSE');
    proxy.accept();
    (await callAndBeAnswered()).socket.destroy();
  });

  it('cuts connections of which one side has already ended', async () => {
    closesPolitely = false;
    const caller = await callAndBeAnswered();
    const [atServer] = served;
    caller.socket.end();
    await waitFor(() => atServer?.readableEnded);
    proxy.refuse();
    await waitFor(() => caller.ending);
    atServer?.write('hello?');
    await waitFor(() => served.size === 0);
  });

  it.each(['both directions', 'answers'] as const)(
    'silences open connections for ever, and no new ones: %s',
    async (silence) => {
      const silent = await callAndBeAnswered();
      const [atServer] = served;
      let heard = 0;
      atServer?.on('data', () => {
        heard += 1;
      });
      proxy.silence(silence);
      silent.socket.write('hello?');
      (await callAndBeAnswered()).socket.destroy();
      if (silence === 'answers') await waitFor(() => heard === 1);
      await waitFor(() => served.size === 1);
      // Neither side hears that the other has gone, and no later fault tells it.
      silent.socket.destroy();
      proxy.refuse();
      proxy.accept();
      (await callAndBeAnswered()).socket.destroy();
      await waitFor(() => served.size === 1);
      expect([silent.received, heard, atServer?.readableEnded]).toEqual([
        ANSWER.length,
        silence === 'answers' ? 1 : 0,
        false,
      ]);
    },
  );

  it('does not tell a caller of a silent connection that the server has gone', async () => {
    const caller = await callAndBeAnswered();
    proxy.silence('both directions');
    for (const socket of served) socket.destroy();
    (await callAndBeAnswered()).socket.destroy();
    await waitFor(() => served.size === 0);
    expect(caller.ending).toBeUndefined();
    caller.socket.destroy();
  });

  it('resets its callers when there is no server', async () => {
    const caller = await callAndBeAnswered();
    server.close();
    for (const socket of served) socket.destroy();
    await waitFor(() => caller.ending);
    const next = call();
    await waitFor(() => next.ending === 'ECONNRESET');
  });

  it('leads new connections to another server after a move, and leaves the open ones', async () => {
    const stays = await callAndBeAnswered();
    const other = createServer((socket) => {
      socket.on('error', () => undefined); // the end of the test
      socket.write('other');
    });
    const targetPort = await freePort();
    other.listen(targetPort, '127.0.0.1');
    await once(other, 'listening');
    proxy.moveTo(targetPort);
    const moved = call();
    await waitFor(() => moved.received === 'other'.length);
    const before = stays.received;
    stays.socket.write('?');
    await waitFor(() => stays.received > before);
    moved.socket.destroy();
    other.close();
  });
});
