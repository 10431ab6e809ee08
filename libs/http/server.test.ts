import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { serve } from './server.js';

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
});
