import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { UNKNOWN_CAUSE } from '#events/event-cause.js';
import { decodePosition } from '#events/event-position.js';
import { logEvents } from '#events/log-events.js';
import { waitFor } from '#testing/wait-for.js';
import { refusing, useWebhooks } from '#testing/webhook-fixture.js';
import { answering } from '#tools/shared/webhook-receiver.js';
import { createSockets } from './sender.js';

const hooks = useWebhooks();

describe('a keyed endpoint', () => {
  it('holds up only the user whose event it has not taken, in the order of each', async () => {
    const endpoint = await hooks.make('keyed');
    await hooks.happen(1, 2, 1, 3, 2, 1, 3);
    const last = await hooks.head();
    hooks.receiver.receive = refusing([1]);
    await hooks.deliver(endpoint);
    const got = (user: number) =>
      hooks.receiver.received.filter(({ body }) => body.data.user.id === user).map(({ body }) => body.data.seq);
    expect([got(1), got(2), got(3)]).toEqual([[last - 6], [last - 5, last - 2], [last - 3, last]]);
    const complete = hooks.receiver.received.map(({ body }) => Number(decodePosition(body.cursor)?.seq));
    expect(Math.max(...complete)).toBe(last - 7);
    await hooks.happen(2);
    await hooks.deliver(endpoint);
    expect(got(2).at(-1)).toBe(last + 1);
    hooks.receiver.receive = answering(200);
    hooks.later(5_000);
    await hooks.deliver(endpoint);
    expect(got(1)).toEqual([last - 6, last - 6, last - 4, last - 1]);
    expect(await hooks.row()).toMatchObject({ state: 'active', cursor: last + 1 });
    expect(await hooks.waiting()).toEqual([]);
  });

  it('gets what waits of other lines as soon as one that failed too is taken', async () => {
    const endpoint = await hooks.make('keyed');
    await hooks.happen(1);
    hooks.receiver.receive = answering(503);
    await hooks.deliver(endpoint);
    hooks.later(4_000);
    await hooks.happen(2, 3);
    await hooks.deliver(endpoint);
    const last = await hooks.head();
    for (const pauseMs of [1_000, 4_000]) {
      hooks.later(pauseMs);
      await hooks.deliver(endpoint);
    }
    hooks.receiver.received.length = 0;
    hooks.receiver.receive = answering(200);
    // The first line is due; the others were tried 6 s ago and would wait for 4 more.
    hooks.later(6_000);
    await hooks.deliver(endpoint);
    expect(hooks.seqs().sort()).toEqual([last - 2, last - 1, last]);
    expect(await hooks.row()).toMatchObject({ state: 'active' });
  });

  it('gets no event twice within five seconds when it takes every other one', async () => {
    const endpoint = await hooks.make('keyed');
    await hooks.happen(...Array.from({ length: 20 }, (_, n) => n + 1));
    hooks.receiver.receive = answering(500);
    await hooks.deliver(endpoint);
    hooks.receiver.receive = (webhook, response) =>
      answering(hooks.receiver.received.length % 2 === 0 ? 200 : 500)(webhook, response);
    for (let turn = 0; turn < 3; turn += 1) {
      hooks.receiver.received.length = 0;
      hooks.later(5_000);
      await hooks.deliver(endpoint);
      expect(hooks.seqs()).toHaveLength(new Set(hooks.seqs()).size);
    }
  });

  it('gets healthy lines at once while forty others hang', async () => {
    const endpoint = await hooks.make('keyed');
    const hanging = Array.from({ length: 40 }, (_, n) => n + 1);
    await hooks.happen(...hanging);
    hooks.receiver.receive = () => undefined;
    await hooks.createWorker({ timeoutMs: 100 })(endpoint);
    hooks.later(5_000);
    await hooks.happen(101, 102);
    const open: ServerResponse[] = [];
    const healthy: number[] = [];
    let openThen: ServerResponse[] = [];
    hooks.receiver.receive = async (webhook, response) => {
      const { id } = webhook.body.data.user;
      if (id <= 40) return void open.push(response);
      healthy.push(id);
      // One more happens during the turn; all that hang are still open when it comes.
      if (id === 102) await hooks.happen(103);
      if (id === 103) openThen = open.filter(({ destroyed }) => !destroyed);
      response.writeHead(200).end();
      if (id !== 103) return;
      hooks.receiver.receive = answering(500);
      for (const each of open) each.writeHead(500).end();
    };
    await hooks.createWorker({ timeoutMs: 4_000 })(endpoint);
    expect(healthy.sort()).toEqual([101, 102, 103]);
    expect(openThen).toHaveLength(4);
    expect(openThen).toEqual(open);
  });

  it('gets an event that failed for itself again and again once a minute at most while others are taken', async () => {
    const endpoint = await hooks.make('keyed');
    await hooks.happen(1);
    hooks.receiver.receive = refusing([1]);
    const ofUserOne = () => hooks.receiver.received.filter(({ body }) => body.data.user.id === 1).length;
    for (let tick = 0; tick < 60; tick += 1) {
      await hooks.happen(2);
      await hooks.deliver(endpoint);
      hooks.later(10_000);
    }
    // The tries of its own schedule, 5 in 135 s, and one a minute for the rest of 10 minutes.
    expect(ofUserOne()).toBeGreaterThan(8);
    expect(ofUserOne()).toBeLessThan(16);
  });

  it('stays disabled, and paused, when another line fails after that', async () => {
    for (const [status, headers, column] of [
      [410, {}, `state = 'disabled'`],
      [429, { 'Retry-After': '600' }, 'not_before IS NOT NULL'],
    ] as const) {
      await hooks.query('DELETE FROM webhook_endpoints');
      const endpoint = await hooks.make('keyed');
      await hooks.happen(1, 2);
      hooks.receiver.receive = async (webhook, response) => {
        const isFirst = webhook.body.data.user.id === 1;
        const isNoted = async () => (await hooks.query(`SELECT FROM webhook_endpoints WHERE ${column}`)).length === 1;
        if (!isFirst) await waitFor(isNoted);
        answering(isFirst ? status : 500, isFirst ? headers : {})(webhook, response);
      };
      await hooks.deliver(endpoint);
      expect(await hooks.query(`SELECT FROM webhook_endpoints WHERE ${column}`)).toHaveLength(1);
      expect(await hooks.isDue()).toBe(false);
    }
  });

  it('gets eight at once', async () => {
    const endpoint = await hooks.make('keyed', ['user.*', 'wager.*']);
    await hooks.change(async (tx) => {
      const events = Array.from(
        { length: 12 },
        (_, n) => ({ kind: 'user.updated', ref: BigInt(n + 100), extra: {} }) as const,
      );
      logEvents(tx, { accountId: 1n, cause: UNKNOWN_CAUSE, events });
    });
    const open: ServerResponse[] = [];
    const most: number[] = [];
    // Nothing is answered until eight have come; a ninth would find eight open.
    hooks.receiver.receive = (_webhook, response) => {
      open.push(response);
      most.push(open.length);
      if (open.length < 8 && hooks.receiver.received.length < 12) return;
      for (const each of open.splice(0)) each.writeHead(200).end();
    };
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(12);
    expect(Math.max(...most)).toBe(8);
  });
});

describe('a receiver that was away for ten seconds', () => {
  it.each(['ordered', 'keyed', 'doorbell'] as const)('gets its events within 15 s of its return: %s', async (mode) => {
    const endpoint = await hooks.make(mode);
    await hooks.happen(1);
    const deliverFor = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        if (await hooks.isDue()) await hooks.deliver(endpoint);
        hooks.later(1_000);
      }
    };
    hooks.receiver.receive = (_webhook, response) => void response.destroy();
    await deliverFor(5);
    await hooks.happen(2, 1);
    await deliverFor(5);
    hooks.receiver.received.length = 0;
    hooks.receiver.receive = answering(200);
    await deliverFor(15);
    const last = await hooks.head();
    const seqs = hooks.receiver.received.map(({ body }) => body.data.seq ?? Number(decodePosition(body.cursor)?.seq));
    expect(Math.max(...seqs)).toBe(last);
    expect(await hooks.row()).toMatchObject({ state: 'active', cursor: last });
    expect(await hooks.waiting()).toEqual([]);
  });
});

describe('an endpoint of an account that has all its sockets', () => {
  it('waits, and leaves other accounts theirs', async () => {
    const sockets = createSockets(2);
    const deliver = hooks.createWorker({ sockets });
    const endpoint = await hooks.make('keyed');
    await hooks.happen(1, 2, 3);
    expect([1n, 1n, 1n, 2n].map((accountId) => sockets.take(accountId))).toEqual([true, true, false, true]);
    expect(await deliver(endpoint)).toBe('done');
    expect([hooks.receiver.received.length, await hooks.isDue()]).toEqual([0, false]);
    hooks.later(500);
    expect(await hooks.isDue()).toBe(true);
    sockets.release(1n);
    await deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(3);
    expect([sockets.take(1n), sockets.take(1n)]).toEqual([true, false]);
  });

  it('goes on with the other lines when a line that had failed has given its socket back', async () => {
    const deliver = hooks.createWorker({ sockets: createSockets(1) });
    const endpoint = await hooks.make('keyed');
    await hooks.happen(1);
    hooks.receiver.receive = answering(500);
    await deliver(endpoint);
    await hooks.happen(2);
    hooks.later(5_000);
    hooks.receiver.receive = refusing([1]);
    await deliver(endpoint);
    expect(hooks.receiver.received.map(({ body }) => body.data.user.id)).toEqual([1, 1, 2]);
  });
});

describe('a doorbell', () => {
  it('rings at most once a second, says only from where to where, and misses nothing', async () => {
    const endpoint = await hooks.make('doorbell');
    const beginning = await hooks.head();
    await hooks.happen(1, 2);
    await hooks.deliver(endpoint);
    await hooks.happen(1);
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(1);
    expect(await hooks.isDue()).toBe(false);
    hooks.later(1_000);
    expect(await hooks.isDue()).toBe(true);
    hooks.receiver.receive = answering(500);
    await hooks.deliver(endpoint);
    await hooks.happen(2);
    hooks.receiver.receive = answering(200);
    hooks.later(5_000);
    await hooks.deliver(endpoint);
    hooks.later(1_000);
    await hooks.deliver(endpoint);
    const rings = hooks.receiver.received.map(({ body }) => body);
    const placesOf = ({ from, to }: { from: string; to: string }) =>
      [from, to].map((cursor) => Number(decodePosition(cursor)?.seq));
    // The endpoint's own creation is between its beginning and the first event.
    const [first, second] = [beginning + 2, beginning + 3];
    expect(rings.map(({ data }) => placesOf(data))).toEqual([
      [beginning - 1, first],
      [first, second],
      [first, second],
      [second, second + 1],
    ]);
    expect(new Set(rings.map(({ type, data }) => `${type} ${Object.keys(data)}`))).toEqual(
      new Set(['events.available from,to']),
    );
    const ids = hooks.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids[1]).toBe(ids[2]);
  });

  it('is silent about events of other types', async () => {
    const endpoint = await hooks.make('doorbell', ['wager.*']);
    await hooks.happen(1, 2);
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toEqual([]);
    expect(await hooks.row()).toMatchObject({ cursor: await hooks.head() });
  });
});
