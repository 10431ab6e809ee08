import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '#testing/wait-for.js';
import { apiInService, workerInService } from './in-service.js';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Gives the same answer to every request, or none. */
let server: Server;
let answer: Answer | undefined;
let asked: number;
let port: number;

beforeEach(async () => {
  answer = undefined;
  asked = 0;
  server = createServer((_request, response) => {
    asked += 1;
    if (answer === undefined) response.destroy();
    else response.writeHead(answer.status).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Whether the wait is over by now. */
function follow(look: Promise<void>): { isOver: boolean } {
  const followed = { isOver: false };
  look.then(
    () => {
      followed.isOver = true;
    },
    () => undefined,
  );
  return followed;
}

const askedMore = (times: number) => {
  const enough = asked + times;
  return waitFor(() => asked >= enough);
};

const page = (mails: number, settlements: number): Answer => ({
  status: 200,
  body: [
    `ledger_job_duration_seconds_bucket{le="5",queue="mail",end="completed"} ${mails}`,
    `ledger_job_duration_seconds_count{queue="mail",end="completed"} ${mails}`,
    'ledger_job_duration_seconds_count{queue="mail",end="failed"} 99',
    `ledger_job_duration_seconds_count{queue="settlement",end="completed"} ${settlements}`,
  ].join('\n'),
});

const never = new AbortController().signal;

describe('an API', () => {
  it('is in service when it answers that it is ready', async () => {
    const look = apiInService(port)(never);
    const followed = follow(look);
    await askedMore(2);
    answer = { status: 503, body: 'not ready' };
    await askedMore(2);
    expect(followed.isOver).toBe(false);
    answer = { status: 200, body: 'ready' };
    await look;
  });

  it('is not polled any more after an abort', async () => {
    const stopping = new AbortController();
    const look = apiInService(port)(stopping.signal);
    const rejection = expect(look).rejects.toThrow('aborted');
    stopping.abort();
    await rejection;
  });
});

describe('a worker', () => {
  const queues = ['mail', 'settlement'];
  const addNothing = async () => undefined;

  it('is in service when it completes new jobs of each queue, not by counters of old ones', async () => {
    const given: string[] = [];
    const addJob = async (queue: string) => {
      given.push(queue);
      throw new Error('Redis is away');
    };
    const look = workerInService({ metricsPort: port, addJob }, queues)(never);
    const followed = follow(look);
    answer = page(5, 7);
    await askedMore(3);
    expect(new Set(given)).toEqual(new Set(queues));
    answer = page(6, 7);
    await askedMore(2);
    given.length = 0;
    await askedMore(2);
    expect(followed.isOver).toBe(false);
    expect(new Set(given)).toEqual(new Set(['settlement']));
    answer = page(6, 8);
    await look;
  });

  it('starts again from the counters of a restarted process', async () => {
    const look = workerInService({ metricsPort: port, addJob: addNothing }, queues)(never);
    const followed = follow(look);
    answer = page(100, 100);
    await askedMore(2);
    answer = page(0, 0);
    await askedMore(2);
    expect(followed.isOver).toBe(false);
    answer = page(1, 1);
    await look;
  });
});
