import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runLoad } from './generator.js';
import type { LoadAccount } from './plan.js';

const account = (authorization: string): LoadAccount => ({ authorization, firstUserId: 1, users: 1, wagers: 1 });

let server: Server;
let received: string[];

beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { reference } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { reference?: string };
      received.push(`${request.headers.authorization} ${reference}`);
      response.writeHead(201, { 'Content-Length': '2' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.close();
});

const port = () => (server.address() as AddressInfo).port;

describe('the load generator', () => {
  it('has every wager decided once, the accounts in turn, and ends when none is left', async () => {
    const result = await runLoad({
      ...{ port: port(), connections: 3, warmUpMs: 0, measureMs: 3_600_000 },
      workload: { kind: 'decide', accounts: [account('a'), account('b')], wagers: { name: 'w', from: 4, count: 3 } },
    });
    expect([...received].sort()).toEqual(['a w4', 'a w5', 'a w6', 'b w4', 'b w5', 'b w6']);
    expect(result.all.answers).toEqual({ '201': 6 });
    // Counted over the time that it took, not over the planned hour.
    expect(result.all.rate).toBeGreaterThan(0.01);
  });

  it('sends no more than its pace', async () => {
    const request = { label: 'get', method: 'GET', path: '/', authorization: 'a' } as const;
    const result = await runLoad({
      ...{ port: port(), connections: 4, warmUpMs: 0, measureMs: 300, pacePerSecond: 50 },
      workload: { kind: 'cycle', requests: [request] },
    });
    const answers = result.all.answers['201'] ?? 0;
    expect(answers).toBeGreaterThan(0);
    // Every 20 ms one of the connections, the first at once; timers may be early, and answers late.
    expect(answers).toBeLessThanOrEqual(20);
  });
});
