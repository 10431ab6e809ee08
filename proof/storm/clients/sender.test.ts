import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startUnreliableProxy, type UnreliableProxy } from '#testing/unreliable-proxy.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { Operation } from '../history.js';
import { Sender } from './sender.js';

let service: ReturnType<typeof createServer>;
let proxies: UnreliableProxy[];
let sender: Sender;
let progress: { requests: number; answered: number; retries: number; effects: number };

beforeEach(async () => {
  service = createServer((_request, response) => response.writeHead(201).end('{"message":"done"}'));
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  proxies = await Promise.all([startUnreliableProxy(url), startUnreliableProxy(url)]);
  progress = { requests: 0, answered: 0, retries: 0, effects: 0 };
  const apiUrls = proxies.map((proxy) => proxy.url);
  sender = new Sender({ apiUrls, chance: createSeededRandom(1), finishing: new AbortController().signal, progress });
});

afterEach(async () => {
  for (const proxy of proxies) await proxy.close();
  service.closeAllConnections();
  service.close();
});

const operation = (method: 'GET' | 'POST'): Operation => ({
  client: 1,
  account: { role: 'plain', name: 'plain', email: 'plain@storm.example', id: 1 },
  kind: method === 'GET' ? 'read' : 'fund',
  request: { method, path: '/somewhere', ...(method === 'POST' && { body: { amount: 1 } }) },
  key: method === 'GET' ? undefined : 'the key',
  expected: 'success',
  calledAt: performance.now(),
  requestId: 'request',
  answeredAt: undefined,
  tries: [],
  answers: [],
});
const keys = () => proxies.map(({ requests }) => requests.map(({ key }) => key));

describe('a sender', () => {
  it('retries with the same key at both APIs until a final answer', async () => {
    proxies[0]?.next('lose request', 'cut answer', { status: 409, headers: { 'Retry-After': '0' }, body: '{}' });
    proxies[1]?.next('lose answer', { status: 503, body: '{}' });
    const sent = operation('POST');
    await sender.send(sent, 'token', 0);
    expect(sent.tries).toEqual([0, 0, 0, 503, 409, 201]);
    expect(sent.answers).toEqual([{ status: 201, body: { message: 'done' } }]);
    expect(keys()).toEqual([Array(3).fill('the key'), Array(3).fill('the key')]);
    expect(progress).toMatchObject({ requests: 6, retries: 5, answered: 1 });
  });

  it('accepts a conflict as final unless it carries Retry-After', async () => {
    proxies[0]?.next({ status: 409, body: '{"error":"taken"}' });
    const sent = operation('POST');
    await sender.send(sent, undefined, 0);
    expect(sent.answers).toEqual([{ status: 409, body: { error: 'taken' } }]);
  });

  it('sends two at once, and records both answers and the time of the first', async () => {
    proxies[1]?.next('lose answer');
    const sent = operation('POST');
    await sender.sendTwice(sent, 'token');
    expect(sent.answers).toHaveLength(2);
    expect(sent.tries.toSorted()).toEqual([0, 201, 201]);
    expect(sent.answeredAt).toBeLessThan(performance.now());
  });

  it('starts the time of a read at the try that was answered', async () => {
    proxies[0]?.next('lose answer');
    const sent = operation('GET');
    const { calledAt } = sent;
    await sender.send(sent, 'token', 0);
    // Not before the wait after the first try.
    expect(sent.calledAt).toBeGreaterThan(calledAt + 20);
    const written = operation('POST');
    const startedAt = written.calledAt;
    proxies[0]?.next('lose answer');
    await sender.send(written, 'token', 0);
    expect(written.calledAt).toBe(startedAt);
  });
});
