import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { eventKinds } from '#core/records.js';
import { BEGINNING, type EventMark, type EventPosition } from '#events/event-position.js';
import { createEventTail } from '#events/event-signals.js';
import { EventStream } from '#http/event-stream.js';
import { connectForMessages } from '#platform/redis/redis.js';
import type { EventPage, LogEvent } from '#reads/event.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { AccountFeed } from './account-feed.js';
import { EventBatch, logPositionOf } from './event-batch.js';
import { EventReader } from './event-reader.js';
import type { StreamCaller } from './open-stream.js';

// The log is a function that never ends, and the clock is the parameter of `beat`; all other parts are real.

const fixture = useLedgerDatabase();
const ACCOUNT = 1n;
const LAST = 1_000_000n;
const NO_FILTER = { types: undefined, wagerReference: undefined, userId: undefined, betId: undefined };
const closing: (() => unknown)[] = [];
let feed: AccountFeed;
let stop: (() => void) | undefined;

const eventAt = (seq: bigint, at = BigInt(Date.now()) * 1_000n): LogEvent => ({
  seq,
  at,
  kind: eventKinds['user.updated'],
  ref: 1n,
  type: 'user.updated',
  firstSeq: seq,
  lastSeq: seq,
  actor: { kind: 'worker', accountId: null, apiKeyId: null, operatorId: null, name: null },
  requestId: null,
  extra: { name: 'x'.repeat(10_000) },
  bet: undefined,
  wager: undefined,
  transactions: [],
});
const headMark = eventAt(LAST);
const page = (after: bigint, count: number): EventPage => {
  const events = Array.from({ length: count }, (_, index) => eventAt(after + BigInt(index + 1)));
  return { events, next: events.at(-1), head: headMark };
};

beforeAll(() => {
  const subscriber = connectForMessages({ url: fixture.environment.redisUrl });
  const tail = createEventTail({ database: fixture.database, subscriber, prefix: 'reader-test' });
  const read = () => Promise.resolve(NOTHING);
  const readNewest = () => Promise.resolve({ ...NOTHING, skipped: new Map() });
  feed = new AccountFeed(ACCOUNT, logPositionOf(ACCOUNT, headMark), {
    tail,
    read,
    readNewest,
    onError: () => undefined,
  });
  stop = () => {
    feed.close();
    tail.close();
    subscriber.disconnect();
  };
});

afterAll(() => stop?.());

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Opened {
  readonly reader: EventReader;
  readonly answer: IncomingMessage;
  readonly readCount: () => number;
}

const NOTHING: EventPage = { events: [], next: undefined, head: headMark };

/**
 * A stream whose reader takes nothing until it is asked to: of the endless log from its beginning, or from its end. The
 * first reads may find nothing, as on a standby that lags.
 */
async function open(mark: EventMark = BEGINNING, emptyReads = 0): Promise<Opened> {
  let reads = 0;
  const read = (after: EventPosition) => {
    reads += 1;
    return Promise.resolve(reads > emptyReads ? page(after.seq, 50) : NOTHING);
  };
  const by: StreamCaller = { kind: 'events', accountId: ACCOUNT } as StreamCaller;
  const from = logPositionOf(ACCOUNT, mark);
  const options = { feed, filter: NO_FILTER, from, first: undefined, read };
  let reader: EventReader | undefined;
  const server: Server = createServer((asked, response) => {
    const answer = Object.assign(response, { locals: {} }) as unknown as Response;
    const begin = () => new EventStream(asked as Request, answer);
    reader = new EventReader(by, begin, { ...options, onError: fail, onLive: () => undefined });
    reader.begin(() => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sent = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  closing.push(() => {
    sent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { reader: reader as EventReader, answer, readCount: () => reads };
}

const fail = (error: unknown) => {
  throw error;
};

/** Waits until the stream reads no more. */
async function untilStill({ readCount }: Opened): Promise<number> {
  let before = -1;
  await waitFor(() => {
    const isStill = before === readCount() && before > 0;
    before = readCount();
    return isStill;
  });
  return before;
}

describe('a stream whose reader takes nothing', () => {
  it('reads nothing until the reader goes on, and leaves nothing out', async () => {
    const opened = await open();
    const reads = await untilStill(opened);
    opened.reader.beat(performance.now());
    opened.reader.beat(performance.now() + 20_000);
    expect(opened.readCount()).toBe(reads);
    let text = '';
    opened.answer.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.length > 30_000_000) opened.answer.pause();
    });
    await waitFor(() => opened.answer.isPaused());
    const seqs = [...text.matchAll(/"seq":(\d+),/g)].map(([, seq]) => Number(seq));
    expect(seqs.length).toBeGreaterThan(1_000);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(opened.readCount()).toBeGreaterThan(reads);
  });

  it('is cut after 30 seconds', async () => {
    const before = performance.now();
    const opened = await open();
    await untilStill(opened);
    opened.reader.beat(before + 29_000);
    expect(opened.reader.isOpen).toBe(true);
    opened.reader.beat(performance.now() + 31_000);
    expect(opened.reader.isOpen).toBe(false);
  });
});

describe('a stream that lacks events which it cannot read yet', () => {
  it('shows none that come after them first', async () => {
    const { answer, reader, readCount } = await open(BEGINNING, 1);
    await waitFor(() => readCount() === 1);
    const next = eventAt(LAST + 1n);
    reader.take(new EventBatch(ACCOUNT, logPositionOf(ACCOUNT, headMark), { events: [next], next, head: next }));
    reader.beat(performance.now());
    let text = '';
    answer.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await waitFor(() => text.includes('event: user.updated'));
    expect(/"seq":(\d+),/.exec(text)?.[1]).toBe('1');
    expect(text).not.toContain(`"seq":${LAST + 1n},`);
  });
});

describe('a stream that has shown everything', () => {
  const framesAfter = async (aheadMs: number, until: RegExp) => {
    const { answer, reader } = await open(headMark);
    let text = '';
    answer.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await waitFor(() => text.includes('event: bookmark'));
    text = '';
    reader.beat(performance.now() + aheadMs);
    await waitFor(() => until.test(text));
    return { text, isOpen: reader.isOpen };
  };

  it('is bookmarked when 5 seconds have passed', async () => {
    expect(await framesAfter(5_001, /bookmark/)).toMatchObject({ isOpen: true });
    const before = performance.now();
    const { reader, answer } = await open(headMark);
    await once(answer, 'readable');
    answer.read();
    reader.beat(before + 4_000);
    reader.end('time');
    await once(answer, 'readable');
    expect(String(answer.read())).not.toContain('bookmark');
  });

  it('ends after an hour, to be opened again at once', async () => {
    const { text, isOpen } = await framesAfter(3_601_000, /\n\n$/);
    expect(text).toMatch(/^retry: 0\nid: [\w-]+\nevent: end\ndata: \{"reason":"time"\}\n\n$/);
    expect(isOpen).toBe(false);
  });
});
