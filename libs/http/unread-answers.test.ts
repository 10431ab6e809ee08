import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { waitFor } from '#testing/wait-for.js';
import { serve } from './server.js';
import { UnreadAnswers } from './unread-answers.js';

/** Less than a connection may leave unread. */
const ANSWER = Buffer.alloc(7.5 * 2 ** 20, 'x');
const REQUEST = 'GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n';
const [CROWD, OTHER] = ['127.0.0.2', '127.0.0.3'];

async function lengthOf(socket: Socket): Promise<number> {
  let bytes = 0;
  for await (const part of socket) bytes += (part as Buffer).length;
  return bytes;
}

describe('unread answers', () => {
  it('of one network are bounded: its readers are cut off and counted, a reader elsewhere is not', async () => {
    const app = express();
    const begun: string[] = [];
    const cut: string[] = [];
    app.get('/', ({ ip = '', socket }, response) => {
      begun.push(ip);
      socket.once('close', () => cut.push(ip));
      response.end(ANSWER);
    });
    const refused: string[] = [];
    const unread = new UnreadAnswers({ onQuotaRefused: (quota) => refused.push(quota) });
    const server = await serve(app, { host: '127.0.0.1', port: 0 }, unread);
    // Nobody listens to their data, so they read nothing.
    const readers = [OTHER, ...Array<string>(20).fill(CROWD)].map((localAddress) => {
      const reader = connect({ host: '127.0.0.1', port: server.port, localAddress });
      reader.on('error', () => undefined).write(REQUEST);
      return reader;
    });
    try {
      await waitFor(() => begun.length === readers.length && cut.length > 0 && cut.length === refused.length);
      expect(new Set(cut)).toEqual(new Set([CROWD]));
      expect(cut.length).toBeLessThan(20);
      expect(new Set(refused)).toEqual(new Set(['unread-answers']));
      expect(await lengthOf(readers[0] as Socket)).toBeGreaterThan(ANSWER.length);
    } finally {
      for (const reader of readers) reader.destroy();
      await server.close();
    }
  });

  it('are cut off when their reader takes nothing for 10 s', async () => {
    const app = express();
    const cut: number[] = [];
    let begun = 0;
    app.get('/', ({ socket }, response) => {
      const reader = begun;
      begun += 1;
      socket.once('close', () => cut.push(reader));
      response.end(ANSWER);
    });
    let now = 0;
    const refused: string[] = [];
    const unread = new UnreadAnswers({ onQuotaRefused: (quota) => refused.push(quota), now: () => now });
    const server = await serve(app, { host: '127.0.0.1', port: 0 }, unread);
    const open = async (place: number) => {
      const reader = connect({ host: '127.0.0.1', port: server.port });
      reader.on('error', () => undefined).write(REQUEST);
      await waitFor(() => begun > place);
      return reader;
    };
    const readers = [await open(0), await open(1)] as const;
    try {
      // The kernel fills its buffers first.
      for (let look = 0; look < 20; look += 1) {
        unread.sweep();
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = 9_999;
      unread.sweep();
      expect(cut).toEqual([]);
      expect(await lengthOf(readers[1])).toBeGreaterThan(ANSWER.length);
      now = 10_000;
      unread.sweep();
      await waitFor(() => cut.includes(0));
      expect(refused).toEqual(['unread-answers']);
    } finally {
      for (const reader of readers) reader.destroy();
      await server.close();
    }
  });
});
