import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Endpoint } from '#apps/api/endpoint.js';
import { namedEndpoints } from '#apps/api/endpoints.js';
import { sendRaw, statusesIn } from '#proof/framing/raw-request.js';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { startTestApi } from '#testing/parts.js';
import { startClock } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let account: LoggedIn;

beforeAll(async () => {
  account = await registerAndLogIn(api.client);
});

const LOGIN = '/auth/login/account';
const json = { 'Content-Type': 'application/json' };

/** Bodies of endpoints that create something. */
const created = Object.entries<Endpoint>(namedEndpoints).flatMap(([name, { status, body }]) =>
  [201, 202].includes(status) && body instanceof z.ZodObject ? [{ name, fields: Object.entries(body.shape) }] : [],
);

describe('bodies', () => {
  it.each(created)('of $name may have null for every field that they may leave out', ({ fields }) => {
    const optional = fields.filter(([, schema]) => schema.safeParse(undefined).success);
    expect(optional.filter(([, schema]) => !schema.safeParse(null).success).map(([field]) => field)).toEqual([]);
  });

  it('have the usual value in place of null', async () => {
    const { client } = await registerAndLogIn(api.client);
    const period = { from: '2026-01-01', to: '2026-02-01' };
    const exported = await client.post('/exports', { kind: 'bets', ...period, format: null, user: null });
    expect([exported.status, exported.body.data.format, exported.body.data.user]).toEqual([202, 'csv', null]);
    const target = { url: 'https://example.com', types: ['wager.*'] };
    const webhook = await client.post('/webhook-endpoints', { ...target, mode: null, description: null });
    expect([webhook.status, webhook.body.data.mode]).toEqual([201, 'ordered']);
    const key = { name: 'bets', expires_at: null, password: null };
    expect((await client.post('/auth/account/api-keys', key)).status).toBe(201);
    expect((await client.post('/auth/account/generate-keys', { password: null })).status).toBe(201);
  });

  it.each([
    [
      'malformed JSON',
      '{"email":',
      json,
      400,
      { message: ['body must be valid JSON'], error: 'Bad Request', statusCode: 400 },
    ],
    [
      'a JSON text',
      '"hello"',
      json,
      400,
      { message: ['body must be valid JSON'], error: 'Bad Request', statusCode: 400 },
    ],
    [
      'a form',
      'email=a',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      415,
      { status: 415, error: 'The Content-Type must be application/json' },
    ],
    [
      'an unknown encoding',
      '{}',
      { ...json, 'Content-Encoding': 'zstd9' },
      415,
      { status: 415, error: 'The content encoding is not supported' },
    ],
    [
      'broken gzip',
      'not gzip',
      { ...json, 'Content-Encoding': 'gzip' },
      400,
      { status: 400, error: 'The request body cannot be read' },
    ],
  ])('answers %s', async (_case, body, headers, status, expected) => {
    const answer = await api.client.post(LOGIN, body, { headers });
    expect([answer.status, answer.body]).toEqual([status, expected]);
  });

  it('takes 256 KiB and refuses more with 413', async () => {
    const filled = (length: number) => JSON.stringify({ email: 'a@b.cc', password: 'x' }).padEnd(length, ' ');
    expect((await api.client.post(LOGIN, filled(256 * 1024))).status).toBe(401);
    const answer = await api.client.post(LOGIN, filled(256 * 1024 + 1));
    expect([answer.status, answer.body.status]).toEqual([413, 413]);
  });

  it.each([
    [
      'keys that reach into objects',
      '{"name":"x","meta":{"__proto__":"y"}}',
      'property meta.__proto__ should not exist',
    ],
    [
      'null characters deep inside',
      '{"name":"x","preferences":{"a":["\\u0000"]}}',
      'preferences.a[0] must not contain null characters',
    ],
    ['half a character', '{"name":"x","meta":{"a":"\\ud800"}}', 'meta.a must be well-formed text'],
    ['half a character in a key', '{"name":"x","preferences":{"\\ud800":1}}', 'should not exist'],
    ['a number without end', '{"name":"x","preferences":{"a":1e400}}', 'preferences.a must be a finite number'],
    ['bulky preferences', `{"name":"x","preferences":{"a":"${'b'.repeat(8_200)}"}}`, 'preferences must be shorter'],
    [
      'bottomless nesting',
      `{"name":"x","preferences":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
      'must not be nested deeper than 16 levels',
    ],
    ['an array for an object', '[]', 'body must be an object'],
  ])('refuses %s', async (_case, body, text) => {
    const answer = await account.client.post('/account/user', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message.join()).toContain(text);
  });
});

describe('bodies of all forms', () => {
  const text = JSON.stringify({ name: 'Zoë' });
  const chunked = () => new Blob([text]).stream();

  it.each<[string, () => NonNullable<RequestInit['body']>, Record<string, string>]>([
    ['plain', () => text, json],
    ['with its character set', () => text, { 'Content-Type': 'Application/JSON; charset=UTF-8' }],
    [
      'in another character set',
      () => Buffer.from(text, 'utf16le'),
      { 'Content-Type': 'application/json; charset=utf-16le' },
    ],
    ['with a byte order mark', () => `\ufeff${text}`, json],
    ['compressed', () => gzipSync(text), { ...json, 'Content-Encoding': 'gzip' }],
    ['in chunks, without a length', chunked, json],
  ])('are read: %s', async (_case, body, headers) => {
    const path = `${api.client.baseUrl}/account/user`;
    const Authorization = `Bearer ${account.token}`;
    const options = { method: 'POST', headers: { ...headers, Authorization }, body: body(), duplex: 'half' };
    const made = await fetch(path, options as RequestInit);
    expect(made.status).toBe(201);
    const { reference } = ((await made.json()) as { data: { reference: string } }).data;
    expect((await account.client.get(`/account/user/${reference}/reference`)).body.data.name).toBe('Zoë');
  });
});

describe('addresses', () => {
  it('are found however they are written, by their own method alone', async () => {
    for (const path of ['/bets/make-offer', '/bets/make-offer/', '/BETS/Make-Offer', '/bets/make-offer?a=b']) {
      expect([path, (await account.client.post(path, {})).status]).toEqual([path, 400]);
    }
    // Not the bet of this id.
    expect((await account.client.get('/bets/HISTORY')).body.data).toEqual([]);
    expect((await api.client.call('HEAD', '/healthz')).status).toBe(200);
    expect((await account.client.post('/auth/account/me', {})).status).toBe(404);
  });

  it('keep the letters of what they name', async () => {
    const reference = '\u0130stanbul/Zo\u00eb%2F';
    await account.client.post('/account/user', { name: 'Zo\u00eb', reference });
    const path = `/account/user/${encodeURIComponent(reference)}/reference`;
    expect((await account.client.get(path)).body.data?.reference).toBe(reference);
  });

  it.each([
    ['foo://host', '/foo://host', 404],
    ['foo://host/healthz', '/healthz', 404],
    ['http://host:x/healthz', '/:x/healthz', 404],
    ['HTTP://host/healthz', '/healthz', 200],
    ['http://host', '/', 404],
    ['*', '*', 404],
  ])('of another form than a path are answered and logged: %s', async (address, path, status) => {
    const id = `form of ${address}`.replaceAll(/[^\w]/g, '-');
    const method = address === '*' ? 'OPTIONS' : 'GET';
    const sent = `${method} ${address} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n`;
    const port = Number(new URL(api.client.baseUrl).port);
    const answer = await sendRaw(port, [sent], { firstMs: 5_000, moreMs: 5_000 });
    expect(statusesIn(answer.text)).toEqual([status]);
    expect(answer.text).toContain(status === 404 ? '{"status":404,"error":"There is no such route"}' : '"ok"');
    const lines = api.environment.logLines.filter((line) => line.includes(`"${id}"`)).map((line) => JSON.parse(line));
    expect(lines).toEqual([expect.objectContaining({ method, path, status })]);
  });

  it('answers an unknown route with 404 in the domain shape', async () => {
    for (const answer of [await api.client.get('/nowhere'), await api.client.call('DELETE', '/account/user/1')]) {
      expect([answer.status, answer.body]).toEqual([404, { status: 404, error: 'There is no such route' }]);
    }
  });

  it('has no TRACE, which would repeat credentials', async () => {
    const asked = request(`${api.client.baseUrl}/healthz`, { method: 'TRACE', headers: { Authorization: 'Bearer x' } });
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([404, expect.not.stringContaining('Bearer')]);
  });

  it('answers a broken percent-encoding with 400', async () => {
    const answer = await account.client.get('/account/user/%E0%A4%A/reference');
    expect([answer.status, answer.body.status]).toEqual([400, 400]);
  });

  it('does not let a HEAD use up a verification token', async () => {
    expect((await api.client.call('HEAD', '/auth/account/verify-email?token=x')).status).toBe(405);
  });

  it('asks for credentials before it looks at the request', async () => {
    expect((await api.client.post('/account/user', '{"broken')).status).toBe(401);
    expect((await api.client.get('/account/user/abc')).status).toBe(401);
  });
});

describe('answers', () => {
  it('carry an id of their own, or the harmless one that was given', async () => {
    const own = await api.client.get('/healthz');
    expect(own.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    const given = await api.client.get('/healthz', { headers: { 'X-Request-Id': 'order-17' } });
    expect(given.headers.get('x-request-id')).toBe('order-17');
    const hostile = await api.client.get('/healthz', { headers: { 'X-Request-Id': 'a b{}' } });
    expect(hostile.headers.get('x-request-id')).not.toBe('a b{}');
  });

  it('carry the security headers for browsers, and no name of the software', async () => {
    const { headers } = await api.client.get('/healthz', { headers: { Origin: 'https://elsewhere.example' } });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('are logged as one line, with the path and without its query', async () => {
    await api.client.get('/auth/account/verify-email?token=very-secret', { headers: { 'X-Request-Id': 'log-me' } });
    const lines = api.environment.logLines.filter((line) => line.includes('log-me'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      method: 'GET',
      path: '/auth/account/verify-email',
      status: 400,
    });
    expect(lines.join()).not.toContain('very-secret');
  });
});

describe('lists', () => {
  it.each([
    ['page=0', 'page must not be less than 1'],
    ['page=1.5', 'page must be an integer number'],
    ['page=x', 'page must be an integer number'],
    ['page=1&page=2', 'page must not be given more than once'],
    ['per_page=0', 'per_page must not be less than 1'],
    ['per_page=101', 'per_page must not be greater than 100'],
    [
      'sort_by=password',
      'sort_by must be one of the following values: id, name, reference, created_at, balance, exposure',
    ],
    ['sort_order=up', 'sort_order must be one of the following values: asc, desc'],
    ['meta_a-b=c', 'meta_a-b must contain only letters, digits and underscores'],
    ['meta_a=b&meta_a=c', 'meta_a must not be given more than once'],
    ['search=%00', 'search must not contain null characters'],
  ])('refuse %s', async (query, text) => {
    const answer = await account.client.get(`/account/user?${query}`);
    expect([answer.status, answer.body.message]).toEqual([400, [text]]);
  });

  it('name all faults at once, and take empty parameters for absent', async () => {
    const faulty = await account.client.get('/account/user?page=0&per_page=0&colour=');
    expect(faulty.body.message).toEqual([
      'page must not be less than 1',
      'per_page must not be less than 1',
      'property colour should not exist',
    ]);
    expect((await account.client.get('/account/user?page=&search=')).status).toBe(200);
  });
});

describe('stopping', () => {
  it('cuts off who does not finish sending, and is over in time', async () => {
    const second = await startTestApi(api.environment);
    const socket = connect(Number(new URL(second.client.baseUrl).port), '127.0.0.1');
    const cut = new Promise((resolve) => socket.on('close', resolve));
    await new Promise((resolve) => {
      socket.write(
        `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
        resolve,
      );
    });
    await waitFor(async () => (await second.client.get('/healthz')).status === 200);
    const clock = startClock(api.database);
    await second.close();
    await cut;
    expect(clock.now()).toBeLessThan(11_000);
    await clock.stop();
  });

  it('finishes what is in flight and then takes no more', async () => {
    const second = await startTestApi(api.environment);
    const port = Number(new URL(second.client.baseUrl).port);
    // Forgot-password answers after a fixed time, long enough to begin the stop while the request is in flight.
    const body = JSON.stringify({ email: 'nobody@example.com' });
    const socket = connect(port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    const sent = new Promise((resolve) =>
      socket.write(
        `POST /auth/account/forgot-password HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        resolve,
      ),
    );
    await sent;
    // Once its outbox entry exists, the request is in flight.
    const entries = () => api.database.query(`SELECT 1 FROM outbox WHERE account_id = 0`);
    await waitFor(async () => (await entries()).length > 0);
    await second.close();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/);
    await expect(second.client.get('/healthz')).rejects.toThrow();
  });
});
