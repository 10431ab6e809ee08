import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withTx } from '#platform/database/database.js';
import { connectForMessages, type RedisClient } from '#platform/redis/redis.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import {
  createEventSignals,
  createEventTail,
  type EventTail,
  type OnLogged,
  signalChannel,
  type Wait,
} from './event-signals.js';
import { logEvents, singleEvent } from './log-events.js';

const fixture = useLedgerDatabase();
const PREFIX = 'tail-test';
let subscriber: RedisClient;
let publisher: RedisClient;
let tail: EventTail;
let signal: OnLogged;

beforeAll(async () => {
  const { redisUrl } = fixture.environment;
  subscriber = connectForMessages({ url: redisUrl });
  publisher = connectForMessages({ url: redisUrl });
  tail = createEventTail({ database: fixture.database, subscriber, prefix: PREFIX, sender: 'this' });
  signal = createEventSignals({ redis: publisher, prefix: PREFIX, sender: 'other' });
  // It subscribes with its first wait.
  await tail.wait({ accountId: 1n, seq: 0n, ms: 0, isGone: () => false });
  await waitFor(async () => {
    const [, subscribers] = (await publisher.pubsub('NUMSUB', signalChannel(PREFIX))) as [string, number];
    return subscribers === 1;
  });
});

afterAll(() => {
  subscriber?.disconnect();
  publisher?.disconnect();
});

const LONG_MS = 20_000;
/** Beyond the end of every log, so that no poll ends the wait. */
const NEVER = 2n ** 60n;
const waiting = (seq: bigint, more: Partial<Pick<Wait, 'ms' | 'isGone'>> = {}) =>
  tail.wait({ accountId: 1n, seq, ms: LONG_MS, isGone: () => false, ...more });

describe('a wait for events', () => {
  it('ends with a message of another process, for the accounts in it alone', async () => {
    const other = tail.wait({ accountId: 2n, seq: NEVER, ms: 500, isGone: () => false });
    const own = waiting(NEVER);
    signal([1n], 1);
    expect(await own).toBe('signal');
    expect(await other).toBe('time');
  });

  it('does not end with a message of its own process, which has hinted at it', async () => {
    const own = waiting(NEVER);
    const later = tail.wait({ accountId: 2n, seq: NEVER, ms: LONG_MS, isGone: () => false });
    createEventSignals({ redis: publisher, prefix: PREFIX, sender: 'this' })([1n], 1);
    signal([2n], 1);
    // Redis keeps the order of the messages.
    expect(await later).toBe('signal');
    expect(await Promise.race([own, 'still waiting'])).toBe('still waiting');
    tail.hint([1n]);
    expect(await own).toBe('signal');
  });

  it('wakes a listener again and again, and polls for it, until it leaves', async () => {
    const wakes: string[] = [];
    const [head] = await fixture.query('SELECT last_seq FROM event_heads WHERE account_id = 1');
    const listener = { seq: BigInt(String(head?.last_seq)) - 1n, wake: (by: string) => wakes.push(by) };
    const leave = tail.listen(1n, listener);
    await waitFor(() => wakes.filter((by) => by === 'poll').length >= 2);
    await waitFor(() => tail.blindMs() < 1_000);
    signal([1n], 1);
    await waitFor(() => wakes.includes('signal'));
    leave();
    const count = wakes.length;
    tail.hint([1n]);
    expect([wakes.length, tail.blindMs()]).toEqual([count, 0]);
  });

  it('ends with a look at the heads when no message comes', async () => {
    const [head] = await fixture.query('SELECT last_seq FROM event_heads WHERE account_id = 1');
    const ended = waiting(BigInt(String(head?.last_seq)));
    const cause = { actor: 'account:1', requestId: null } as const;
    await withTx(fixture.database.of(1n), async (tx) =>
      logEvents(tx, singleEvent(1n, cause, { kind: 'user.updated', ref: 1n })),
    );
    expect(await ended).toBe('poll');
  });

  it('ends when its time is over, and when its reader is gone', async () => {
    expect(await waiting(NEVER, { ms: 20 })).toBe('time');
    let isGone = false;
    const ended = waiting(NEVER, { isGone: () => isGone });
    isGone = true;
    expect(await ended).toBe('time');
    expect(tail.waiterCount()).toBe(0);
  });

  it('ends with the process', async () => {
    const waits = Array.from({ length: 20 }, () => waiting(NEVER));
    const other = tail.wait({ accountId: 2n, seq: NEVER, ms: LONG_MS, isGone: () => false });
    expect(tail.waiterCount()).toBe(21);
    tail.close();
    expect(new Set(await Promise.all([...waits, other]))).toEqual(new Set(['time']));
    expect(await waiting(NEVER)).toBe('time');
  });
});
