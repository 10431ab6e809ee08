import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { waitFor } from '#testing/wait-for.js';
import { type RunningServer, serve } from './server.js';

/** A connection that the server has taken: it takes them in their order. */
async function openConnection({ port }: RunningServer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await fetch(`http://127.0.0.1:${port}/`);
  return socket;
}

describe('a server', () => {
  it('makes requests and responses with the prototypes that Express wants, so that Express changes none', async () => {
    const app = express();
    app.get('/', (request, response) => {
      response.json({ method: request.get('X-Method'), ip: request.ip, isSame: request.app === app });
    });
    const made: unknown[] = [];
    const note = (message: unknown) => {
      const { request, response } = message as { request: object; response: object };
      made.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    };
    const server = await serve(app, { host: '127.0.0.1', port: 0 });
    subscribe('http.server.request.start', note);
    try {
      const answer = await fetch(`http://127.0.0.1:${server.port}/`, { headers: { 'X-Method': 'given' } });
      expect(await answer.json()).toEqual({ method: 'given', ip: '127.0.0.1', isSame: true });
    } finally {
      unsubscribe('http.server.request.start', note);
      await server.close();
    }
    expect(made[0]).toBe(app.request);
    expect(made[1]).toBe(app.response);
  });

  it('makes few answers for a connection that reads none, and serves the others', async () => {
    const app = express();
    const answers = { unread: 0, other: 0 };
    app.get('/:kind', ({ params: { kind } }, response) => {
      answers[kind as keyof typeof answers] += 1;
      response.send('x'.repeat(2 ** 20));
    });
    const server = await serve(app, { host: '127.0.0.1', port: 0 });
    const reader = connect(server.port, '127.0.0.1');
    try {
      // Nobody listens to its data, so it reads nothing.
      reader.write('GET /unread HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(200));
      await waitFor(() => answers.unread > 0);
      for (let count = 0; count < 20; count += 1) {
        const answer = await fetch(`http://127.0.0.1:${server.port}/other`);
        expect((await answer.text()).length).toBe(2 ** 20);
      }
      expect(answers.other).toBe(20);
      expect(answers.unread).toBeLessThan(20);
    } finally {
      reader.destroy();
      await server.close();
    }
  });

  it('stops at once, although clients hold connections on which they have sent nothing', async () => {
    const server = await serve(express(), { host: '127.0.0.1', port: 0 });
    const unused = await openConnection(server);
    const closed = new Promise((resolve) => unused.on('close', resolve).resume());
    const startedAt = performance.now();
    await server.close();
    await closed;
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('answers a first request that came while it was busy stopping', async () => {
    const app = express();
    app.get('/', (_request, response) => void response.send('answered'));
    const server = await serve(app, { host: '127.0.0.1', port: 0 });
    const client = await openConnection(server);
    let answer = '';
    client.on('data', (data) => {
      answer += String(data);
    });
    const closed = new Promise((resolve, reject) => client.on('close', resolve).on('error', reject));
    const stopped = server.close();
    client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    // Nothing else runs in this process meanwhile: the next sweep is due before the request is read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    await Promise.all([stopped, closed]);
    expect(answer).toMatch(/^HTTP\/1.1 200 OK.*\r\nConnection: close\r\n.*answered$/s);
  });
});
