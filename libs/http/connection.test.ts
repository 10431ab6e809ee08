import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import { sendRaw, statusesIn } from '#proof/framing/raw-request.js';
import { refuseFaultyFraming } from './connection.js';
import { errorHandler, unknownRoute } from './error-handler.js';
import { readJson } from './request-input.js';
import { type RunningServer, serve } from './server.js';

let server: RunningServer;
/** The paths that were served. */
const served: string[] = [];

beforeAll(async () => {
  const app = express();
  app.use(refuseFaultyFraming, (request, _response, next) => {
    served.push(request.path);
    next();
  });
  app.post('/read', readJson(1_024), (request, response) => void response.json(request.body));
  app.all('/unread', (_request, response) => void response.json({}));
  app.use(unknownRoute, errorHandler(pino({ level: 'silent' })));
  server = await serve(app, { host: '127.0.0.1', port: 0 });
});

afterAll(() => server?.close());

beforeEach(() => {
  served.length = 0;
});

/** Longer than a connection with an answer lives on. */
const PATIENCE = { firstMs: 5_000, moreMs: 5_000 };
/** Of a connection that stays open. */
const SHORT = { firstMs: 5_000, moreMs: 300 };
const HELLO = '5\r\n["ab"\r\n1\r\n]\r\n0\r\n\r\n';
const NEXT = 'GET /next HTTP/1.1\r\nHost: x\r\n\r\n';

interface Case {
  readonly method?: string;
  readonly path?: string;
  readonly headers: string;
  readonly body?: string;
}

const textOf = ({ method = 'POST', path = '/read', headers, body = '' }: Case) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

const ask = (sent: readonly string[], patience = PATIENCE) => sendRaw(server.port, sent, patience);

describe('a request whose end can be read in two ways', () => {
  it.each<[string, Case]>([
    ['both lengths', { headers: 'Content-Length: 2\r\nTransfer-Encoding: chunked', body: HELLO }],
    ['both lengths, the other way round', { headers: 'Transfer-Encoding: chunked\r\nContent-Length: 2', body: HELLO }],
    ['two lengths', { headers: 'Content-Length: 2\r\nContent-Length: 3', body: '[] ' }],
    ['two equal lengths', { headers: 'Content-Length: 2\r\nContent-Length: 2', body: '[]' }],
    ['a list of lengths', { headers: 'Content-Length: 2, 2', body: '[]' }],
    ['a length with a sign', { headers: 'Content-Length: +2', body: '[]' }],
    ['another encoding', { headers: 'Transfer-Encoding: gzip, chunked', body: HELLO }],
    ['another spelling', { headers: 'Transfer-Encoding: Chunked', body: HELLO }],
    ['an encoding that is none', { headers: 'Transfer-Encoding: identity', body: HELLO }],
    ['two encodings', { headers: 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', body: HELLO }],
    ['a name with a space', { headers: 'Content-Length : 2', body: '[]' }],
    ['a folded header', { headers: 'X: y\r\n Content-Length: 2', body: '[]' }],
    ['a folded encoding', { headers: 'Transfer-Encoding:\r\n chunked', body: HELLO }],
    ['a bare line feed', { headers: 'X: y\nContent-Length: 2', body: '[]' }],
    ['a bare carriage return', { headers: 'X: y\rContent-Length: 2', body: '[]' }],
    ['a chunk that is longer than it says', { headers: 'Transfer-Encoding: chunked', body: '1\r\n[]0\r\n\r\n' }],
    ['a chunk without its line end', { headers: 'Transfer-Encoding: chunked', body: '2\n[]\n0\n\n' }],
    ['a length on GET', { method: 'GET', headers: 'Content-Length: 2', body: '[]' }],
    ['chunks on GET', { method: 'GET', headers: 'Transfer-Encoding: chunked', body: HELLO }],
    ['a length on HEAD', { method: 'HEAD', headers: 'Content-Length: 2', body: '[]' }],
    ['two hosts', { headers: 'Host: y\r\nContent-Length: 2', body: '[]' }],
  ])('is refused with 400, and its connection closed: %s', async (_name, given) => {
    const { text, isClosed } = await ask([textOf(given) + NEXT]);
    expect([statusesIn(text), isClosed]).toEqual([[400], true]);
    expect(text).toMatch(/^Connection: close/im);
    expect(served.filter((path) => path !== '/read')).toEqual([]);
  });

  it('is refused with chunks in HTTP/1.0', async () => {
    const sent = textOf({ headers: 'Transfer-Encoding: chunked', body: HELLO }).replace('HTTP/1.1', 'HTTP/1.0');
    expect(statusesIn((await ask([sent])).text)).toEqual([400]);
    expect(served).toEqual([]);
  });
});

describe('a connection', () => {
  it.each<[string, Case]>([
    ['a body with a length', { headers: 'Content-Length: 2', body: '[]' }],
    ['a body in chunks', { headers: 'Transfer-Encoding: chunked', body: '2;a=b\r\n[]\r\n0\r\nX: y\r\n\r\n' }],
    ['no body', { method: 'GET', path: '/unread', headers: 'Content-Length: 0' }],
  ])('is used again after a request that was read whole: %s', async (_name, given) => {
    const { text, isClosed } = await ask([textOf(given), NEXT], SHORT);
    expect([statusesIn(text), isClosed, served.at(-1)]).toEqual([[200, 404], false, '/next']);
  });

  it.each<[string, Case, number]>([
    ['by a route', { path: '/unread', headers: 'Content-Length: 2', body: '[]' }, 200],
    [
      'by a route, in chunks',
      { method: 'DELETE', path: '/unread', headers: 'Transfer-Encoding: chunked', body: HELLO },
      200,
    ],
    ['by no route', { path: '/nowhere', headers: 'Content-Length: 2', body: '[]' }, 404],
    ['to its end', { path: '/unread', headers: 'Content-Length: 9', body: '[]' }, 200],
    ['because it is too large', { headers: 'Content-Length: 5000', body: ' '.repeat(5_000) }, 413],
    ['because of an expectation', { headers: 'Expect: x\r\nContent-Length: 2', body: '[]' }, 417],
  ])('is closed when the body was not read %s, and what comes behind is not served', async (_name, given, status) => {
    const { text, isClosed } = await ask([textOf(given), NEXT]);
    expect([statusesIn(text), isClosed]).toEqual([[status], true]);
    expect(text).toMatch(/^Connection: close/im);
  });

  it('is closed though the body goes on without an end', async () => {
    const { text, isClosed } = await ask([
      textOf({ path: '/unread', headers: 'Transfer-Encoding: chunked', body: '2\r\n' }),
    ]);
    expect([statusesIn(text), isClosed]).toEqual([[200], true]);
  });

  it('leads to no other server', async () => {
    const { text, isClosed } = await ask(['CONNECT other:80 HTTP/1.1\r\nHost: other:80\r\n\r\n', NEXT]);
    expect([statusesIn(text), isClosed, served]).toEqual([[], true, []]);
  });

  it('lets a caller read the answer while it still sends', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(16_384));
      },
    });
    const url = `http://127.0.0.1:${server.port}/unread`;
    const answer = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(200);
  });
});
