import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { HOUR_MS } from '#platform/config/time-units.js';
import { sendRaw, statusesIn } from '#proof/framing/raw-request.js';
import { type LoggedIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { logInAtConsole, withConsoleServer } from '#testing/console-session.js';
import { deferred } from '#testing/deferred.js';
import { startTestDashboard, type TestPart } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';
import { API_RESOURCES } from './api-proxy.js';
import { createSessionStore } from './session-store.js';

const { environment, api, console } = withConsoleServer();
let owner: LoggedIn;
let browser: TestClient;

beforeAll(async () => {
  owner = await registerAndLogIn(api.client);
  browser = await logInAtConsole(console.client, owner);
});

/** Longer than the server needs to close a connection. */
const PATIENCE = { firstMs: 5_000, moreMs: 5_000 };

/** Asks for a path as it stands, which browsers and `fetch` would change first. */
async function statusOfRaw(client: TestClient, path: string): Promise<number | undefined> {
  const { hostname: host, port } = new URL(client.baseUrl);
  const sent = request({ host, port, path, headers: client.headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe('requests of pages', () => {
  it('reach exactly the routes that the document of the API has', () => {
    const file = new URL('../../../../docs/openapi.json', import.meta.url);
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, object> };
    const served = ['healthz', 'metrics', 'openapi.json', 'docs'];
    const resources = new Set(Object.keys(paths).map((path) => path.split('/')[1] ?? ''));
    expect([...API_RESOURCES].sort()).toEqual([...resources].filter((name) => !served.includes(name)).sort());
  });

  it.each([
    '/api',
    '/api/',
    '/api/metrics',
    '/api/METRICS',
    '/api//metrics',
    '/api/users%2F..%2Fmetrics',
    '/api/%6detrics',
    '/api/openapi.json',
    '/api/healthz',
    '/api/auth/login/account',
    '/api/auth/LOGIN/account/',
    '/api/auth/l%6Fgin/account',
    '/api/auth/%4cOG%49N%2Faccount%2f',
  ])('reach nothing else of its server: %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await browser.call(method, path, method === 'POST' ? { body: owner } : {});
      expect([answer.status, answer.body]).toEqual([404, { status: 404, error: 'There is no such route' }]);
    }
  });

  it.each(['/api/wagers/%zz', '/api/auth/%ff/account'])(
    'are refused when their path does not decode: %s',
    async (path) => {
      expect(await statusOfRaw(browser, path)).toBe(400);
    },
  );

  it.each([
    '/api/wagers/../metrics',
    '/api/wagers/%2e%2E/metrics',
    '/api/wagers/.%2e/../metrics',
    '/api/wagers/x\\..\\..\\metrics',
    '/api/auth/x/../login/account',
    '/api/wagers#/../metrics',
  ])('lead nowhere else by what an address makes of their path: %s', async (path) => {
    expect(await statusOfRaw(browser, path)).toBe(404);
  });

  it('reach no other server, whatever address they ask for', async () => {
    const others: string[] = [];
    const other = createServer(({ url = '' }, response) => {
      others.push(url);
      response.end('{}');
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const statuses = [];
    for (const start of ['a://', 'a://@', 'http://'])
      statuses.push(await statusOfRaw(browser, `${start}${host}/api/wagers`));
    other.close();
    expect([statuses, others]).toEqual([[404, 404, 404], []]);
  });

  it('are refused without a session, in the words of the API', async () => {
    const answer = await console.client.get('/api/wagers');
    expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthorized', statusCode: 401 }]);
    const withToken = await console.client.as({ token: owner.token }).get('/api/wagers');
    expect(withToken.status).toBe(401);
  });

  it('are refused when the page shows another account or person than the session has', async () => {
    const { id } = owner;
    const statusAs = async (account: number) => {
      const headers = { 'Console-Account': String(account) };
      return (await browser.post('/api/account/user', { name: 'X', reference: `of ${account}` }, { headers })).status;
    };
    expect([await statusAs(id + 1), await statusAs(id)]).toEqual([401, 201]);
    expect((await owner.client.get(`/account/user/of%20${id + 1}/reference`)).status).toBe(404);
    const person = (await owner.client.get('/operators/me')).body.data.id;
    const statusOf = async (operator: number) =>
      (await browser.get('/api/wagers', { headers: { 'Console-Operator': String(operator) } })).status;
    expect([await statusOf(person + 1), await statusOf(person)]).toEqual([401, 200]);
  });

  it('get the answer of the API with its headers, and are done once with one key', async () => {
    const body = { reference: 'ann', name: 'Ann' };
    const headers = { 'Idempotency-Key': 'once', 'X-Request-Id': 'page-1' };
    const first = await browser.post('/api/account/user', body, { headers });
    expect([first.status, first.headers.get('x-request-id')]).toEqual([201, 'page-1']);
    expect(first.headers.get('ratelimit')).not.toBeNull();
    const second = await browser.post('/api/account/user', body, { headers });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const list = await browser.get('/api/account/user?search=ann&per_page=5');
    expect(list.body.data.items.map(({ reference }: { reference: string }) => reference)).toEqual(['ann']);
    expect(list.headers.get('ledger-as-of')).toMatch(/^[\w-]{20,}$/);
    expect(list.headers.get('cache-control')).toBe('no-store');
    const malformed = await browser.post('/api/account/user', { reference: '' });
    expect([malformed.status, malformed.body.message]).toEqual([400, expect.arrayContaining([expect.any(String)])]);
  });

  it('that would change something come from the own page', async () => {
    const body = { reference: 'foreign', name: 'Foreign' };
    const elsewhere = [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'none' }, { Origin: 'null' }];
    for (const headers of elsewhere) {
      expect((await browser.post('/api/account/user', body, { headers })).status).toBe(403);
    }
    expect((await owner.client.get('/account/user/foreign/reference')).status).toBe(404);
  });

  it('have a method of the API', async () => {
    for (const method of ['OPTIONS', 'PROPFIND']) {
      expect([method, (await browser.call(method, '/api/wagers')).status]).toEqual([method, 405]);
    }
    expect((await browser.call('HEAD', '/api/wagers')).status).toBe(200);
    expect((await browser.put('/api/wagers/put', {})).body.data.reference).toBe('put');
  });

  it('of more than 256 KiB are refused, also when they do not say how long they are', async () => {
    const announced = await browser.post('/api/account/user', { reference: 'x'.repeat(300_000) });
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const { Cookie = '' } = browser.headers;
    const request = { method: 'POST', headers: { Cookie }, body: stream, duplex: 'half' };
    const endless = await fetch(`${console.client.baseUrl}/api/account/user`, request as RequestInit);
    expect([announced.status, endless.status]).toEqual([413, 413]);
  });
});

/** A server in place of the API, for what the API does not show. */
describe('between the browser and the API', () => {
  let upstream: Server;
  let lonely: TestPart;
  let visitor: TestClient;
  let received: IncomingHttpHeaders[];
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    received = [];
    upstream = createServer((request, response) => {
      received.push(request.headers);
      answer(response);
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const { port } = upstream.address() as AddressInfo;
    answer = (response) => response.end(JSON.stringify({ data: { token: owner.token } }));
    lonely = await startTestDashboard(environment, { API_URL: `http://127.0.0.1:${port}/below` });
    visitor = await logInAtConsole(lonely.client, owner);
  });

  afterAll(async () => {
    await lonely?.close();
    upstream?.closeAllConnections();
    upstream?.close();
  });

  it('the API gets the token and what it needs, and no cookie', async () => {
    received.length = 0;
    const headers = {
      'X-Forwarded-For': '192.0.2.1',
      'Accept-Language': 'de',
      'Last-Event-ID': 'c',
      Authorization: 'x',
    };
    await visitor.get('/api/wagers', { headers });
    expect(received).toHaveLength(1);
    const { host, connection, 'x-request-id': id, ...others } = received[0] ?? {};
    expect(id).toMatch(/^[\w-]{36}$/);
    expect(others).toEqual({
      accept: '*/*',
      authorization: `Bearer ${owner.token}`,
      'console-address': '127.0.0.1',
      'console-secret': environment.config().consoleSecret,
      'last-event-id': 'c',
    });
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['DELETE in chunks', 'DELETE', { 'Transfer-Encoding': 'chunked' }, '2\r\n{}\r\n0\r\n\r\n'],
    ['POST in chunks', 'POST', { 'Transfer-Encoding': 'chunked', Trailer: 'X' }, '2;a\r\n{}\r\n0\r\nX: y\r\n\r\n'],
    ['POST with a length', 'POST', { 'Content-Length': '0002' }, '{}'],
  ])('a body gets a length of its own, and nothing else of how it came: %s', async (_name, method, framing, body) => {
    received.length = 0;
    const headers = {
      ...visitor.headers,
      'Content-Type': 'application/json',
      Connection: 'Content-Type, x',
      ...framing,
    };
    const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const sent = [`${method} /api/wagers HTTP/1.1\r\n${lines.join('')}\r\n`, body];
    const { text } = await sendRaw(Number(new URL(lonely.client.baseUrl).port), sent, { firstMs: 5_000, moreMs: 100 });
    expect(statusesIn(text)).toEqual([200]);
    const { host, 'x-request-id': _id, ...others } = received[0] ?? {};
    expect(others).toEqual({
      authorization: `Bearer ${owner.token}`,
      connection: 'keep-alive',
      'console-address': '127.0.0.1',
      'console-secret': environment.config().consoleSecret,
      'content-length': '2',
      'content-type': 'application/json',
    });
  });

  it('a request without a body has no length, type or encoding, and one with a body on GET is refused', async () => {
    received.length = 0;
    await visitor.get('/api/wagers', { headers: { 'Content-Type': 'application/json' } });
    await visitor.delete('/api/wagers', { headers: { 'Content-Type': 'application/json' } });
    const lines = `Host: x\r\nCookie: ${visitor.headers.Cookie}\r\nContent-Length: 40\r\n\r\n${'x'.repeat(40)}`;
    const port = Number(new URL(lonely.client.baseUrl).port);
    const { text, isClosed } = await sendRaw(port, [`GET /api/wagers HTTP/1.1\r\n${lines}`], PATIENCE);
    expect([statusesIn(text), isClosed, received.length]).toEqual([[400], true, 2]);
    const framing = received
      .flatMap((headers) => Object.keys(headers))
      .filter((name) => /^(content|transfer)-/.test(name));
    expect(framing).toEqual([]);
  });

  it('a connection to the API is used again only after an answer that was read whole', async () => {
    const connections = new Set<unknown>();
    let ports: (number | undefined)[] = [];
    answer = (response) => {
      ports.push(response.socket?.remotePort);
      connections.add(response.socket);
      response.end('{}');
    };
    await visitor.get('/api/wagers');
    await visitor.get('/api/bets');
    expect(ports[0]).toBe(ports[1]);
    // A page that leaves in the midst of an answer.
    answer = (response) => {
      ports = [response.socket?.remotePort];
      response.writeHead(200, { 'Content-Length': '10' }).write('{');
    };
    const leave = new AbortController();
    const { Cookie = '' } = visitor.headers;
    await fetch(`${lonely.client.baseUrl}/api/wagers`, { headers: { Cookie }, signal: leave.signal });
    leave.abort();
    answer = (response) => {
      ports.push(response.socket?.remotePort);
      response.end('{}');
    };
    await visitor.get('/api/wagers');
    expect(ports[0]).not.toBe(ports[1]);
  });

  it('log-ins and first views share no connection with requests of pages', async () => {
    const ports = new Map<string, Set<number | undefined>>();
    answer = (response) => {
      const { url = '', headers } = response.req;
      const isPage = headers['last-event-id'] === 'page';
      const kind = url.includes('/auth/login') ? 'log-in' : isPage ? 'page' : 'view';
      ports.set(kind, (ports.get(kind) ?? new Set()).add(response.socket?.remotePort));
      response.end(JSON.stringify({ data: { token: owner.token } }));
    };
    const browsers = [await logInAtConsole(lonely.client, owner), await logInAtConsole(lonely.client, owner)];
    for (const each of browsers) {
      await each.get('/api/events', { headers: { 'Last-Event-ID': 'page' } });
      await each.get('/', { headers: { Accept: 'text/html' } });
      await each.get('/api/events', { headers: { 'Last-Event-ID': 'page' } });
    }
    const [logIns = [], views = [], pages = []] = ['log-in', 'view', 'page'].map((kind) => [
      ...(ports.get(kind) ?? []),
    ]);
    expect([logIns.length, views.length > 0, pages.length > 0]).toEqual([2, true, true]);
    expect(new Set([...logIns, ...views, ...pages]).size).toBe(logIns.length + views.length + pages.length);
  });

  it('no cookie and no foreign header of an answer passes, and an error of the server does not end the session', async () => {
    answer = (response) => {
      const headers = {
        'Set-Cookie': 'console=x',
        'Access-Control-Allow-Origin': '*',
        Server: 'x',
        'Retry-After': '7',
      };
      response.writeHead(503, headers).end('{}');
    };
    const { status, headers } = await visitor.get('/api/wagers');
    expect([status, headers.get('retry-after'), headers.getSetCookie()]).toEqual([503, '7', []]);
    expect([headers.get('access-control-allow-origin'), headers.get('server')]).toEqual([null, null]);
  });

  it('a stream passes piece by piece, and ends at the API when the browser leaves', async () => {
    const hasEnded = deferred();
    let send: (text: string) => void = () => undefined;
    answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
      response.flushHeaders();
      send = (text) => response.write(text);
      response.once('close', () => hasEnded.resolve());
    };
    const { Cookie = '' } = visitor.headers;
    const leave = new AbortController();
    const stream = await fetch(`${lonely.client.baseUrl}/api/events/stream`, {
      headers: { Cookie },
      signal: leave.signal,
    });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (const frame of ['id: 1\ndata: {}\n\n', 'id: 2\ndata: {}\n\n']) {
      send(frame);
      expect((await reader?.read())?.value).toBe(frame);
    }
    leave.abort();
    await hasEnded.promise;
    const line = await waitFor(() => environment.logLines.find((text) => text.includes('passed-on')));
    expect(JSON.parse(line)).toMatchObject({ msg: 'stream', path: '/api/events/stream', status: 200 });
  });

  it('a stream ends with the session that it was begun with', async () => {
    const redis = new Redis(environment.redisUrl);
    const store = createSessionStore(redis, environment.redisPrefix, () => Date.now() - 8 * HOUR_MS + 1_000);
    const Cookie = `console=${await store.add(owner.token)}`;
    redis.disconnect();
    const hasEnded = deferred();
    answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      response.once('close', () => hasEnded.resolve());
    };
    const stream = await fetch(`${lonely.client.baseUrl}/api/events/stream`, { headers: { Cookie } });
    expect(stream.status).toBe(200);
    const begunAt = performance.now();
    await expect(stream.text()).rejects.toThrow();
    await hasEnded.promise;
    expect(performance.now() - begunAt).toBeLessThan(15_000);
  });

  it('a failed connection is 503, also in the midst of the headers', async () => {
    answer = (response) => response.socket?.destroy();
    const broken = await visitor.post('/api/account/user', { reference: 'x', name: 'X' });
    expect([broken.status, broken.body]).toEqual([503, { status: 503, error: 'The API is not reachable' }]);
    expect(broken.headers.get('retry-after')).toBe('2');
    answer = (response) => response.end('no JSON');
    const login = await lonely.client.post('/session', { email: owner.email, password: owner.password });
    expect([login.status, login.body.error]).toEqual([503, 'The answer of the API is no JSON']);
  });
});
