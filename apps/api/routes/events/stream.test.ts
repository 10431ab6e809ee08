import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { logIn } from '#testing/client.js';
import { valueIn } from '#testing/metrics.js';
import { startTestApi } from '#testing/parts.js';
import { startClock, unlessStandingStill } from '#testing/standstills.js';
import { type StreamFrame, StreamReader } from '#testing/stream-reader.js';
import {
  type Admin,
  offerBatch,
  ok,
  openTestBusiness,
  registerAdmin,
  type TestBusiness,
} from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ processes: 2 });
const business = withBusiness(api);
let stranger: TestBusiness;
let admin: Admin;
const streams: StreamReader[] = [];

/** Begins now unless the query says otherwise. */
const open = async (query = '', headers = {}, client = business.client) => {
  const from = query.includes('after=') ? query : `${query === '' ? '?' : `${query}&`}after=now`;
  const stream = await StreamReader.open(client, `/events/stream${from}`, headers);
  streams.push(stream);
  return stream;
};
const seqsOf = (frames: readonly StreamFrame[]) => frames.map(({ data }) => data.seq);
const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const log = async (query = 'limit=1000') => ok(await business.client.get(`/events?${query}`), 200);

beforeAll(async () => {
  stranger = await openTestBusiness(api.client);
  admin = await registerAdmin(api.client, api.database);
  for (const name of ['ann', 'bob']) await business.user(name);
});

afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

describe('a stream of events', () => {
  it('begins now, and shows each event as the list does, with its cursor and its type', async () => {
    const { head } = await log('limit=1');
    const stream = await open();
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect([stream.headers.get('cache-control'), stream.headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
    expect(await stream.next()).toEqual({ id: head, event: 'bookmark', data: { cursor: head }, retry: 1_000 });
    ok(await business.make('ann', 10));
    const frames = await stream.events(2);
    const { data } = await log(`after=${head}`);
    expect(frames.map((frame) => frame.data)).toEqual(data);
    expect(frames.map(({ id, event }) => [id, event])).toEqual(
      data.map(({ cursor, type }: { cursor: string; type: string }) => [cursor, type]),
    );
  });

  it('begins at the beginning of the log without a cursor, as the list does', async () => {
    const { data } = await log();
    const stream = await StreamReader.open(business.client, '/events/stream');
    streams.push(stream);
    expect(seqsOf(await stream.events(data.length))).toEqual(upTo(1, data.length));
    const { data: none, head, next } = await log('after=now');
    expect([none, next]).toEqual([[], head]);
  });

  it('shows what another process has committed', async () => {
    const stream = await open();
    const elsewhere = business.client.as(business.client.credential);
    const other = Object.assign(Object.create(elsewhere), { baseUrl: api.clients[1]?.baseUrl }) as typeof elsewhere;
    ok(await other.post('/transactions/fund-user', { user_reference: 'ann', amount: 1 }));
    expect((await stream.events(1))[0]).toMatchObject({ event: 'transaction.created' });
  });

  it('goes on behind Last-Event-ID, which wins over after, and else behind after', async () => {
    const { data, head } = await log();
    const [first, third] = [data[0], data[2]];
    const resumed = await open(`?after=${first.cursor}`, { 'Last-Event-ID': third.cursor });
    expect(seqsOf(await resumed.events(3))).toEqual([4, 5, 6]);
    const began = await open(`?after=${first.cursor}`, { 'Last-Event-ID': '' });
    expect(seqsOf(await began.events(data.length - 1))).toEqual(upTo(2, data.length));
    const none = await open(`?after=${head}`);
    expect(await none.next()).toMatchObject({ id: head, event: 'bookmark' });
  });

  it('passes what its filters leave out with a bookmark, from which another filter goes on', async () => {
    const stream = await open('?types=user.*');
    await stream.next();
    ok(await business.make('bob', 3));
    const { head } = await log('limit=1');
    const [bookmark] = await stream.until(({ event }) => event === 'bookmark');
    expect(bookmark).toMatchObject({ id: head, data: { cursor: head } });
    await business.client.patch('/account/user/bob/reference', { name: 'Bob' });
    expect((await stream.events(1))[0]).toMatchObject({ event: 'user.updated' });
    const ofBob = await open(`?user_id=${(await log('types=user.created')).data[1].user.id}&after=${head}`);
    expect((await ofBob.events(1))[0]).toMatchObject({ event: 'user.updated' });
  });

  it('is bookmarked every 5 seconds when nothing happens', () =>
    unlessStandingStill(async (clock) => {
      const begunAt = clock.now();
      const stream = await open();
      const first = await stream.next();
      const frames = await stream.until(({ event }) => event === 'bookmark');
      expect(frames.at(-1)?.id).toBe(first?.id);
      expect(clock.now() - begunAt).toBeGreaterThan(4_500);
      expect(clock.now() - begunAt).toBeLessThan(9_000);
    }));

  it('is of its own account, and of another one only for admins', async () => {
    const { data } = await log('limit=2');
    const account = business.account.id;
    const query = `?account_id=${account}&after=${data[0].cursor}`;
    expect((await (await open(query, {}, admin.client)).events(1))[0]?.data).toEqual(data[1]);
    const refused = await stranger.client.get(`/events/stream${query}`);
    expect([refused.status, refused.body.message]).toEqual([400, ['after must be a cursor']]);
    const empty = await open(`?account_id=${account}`, {}, stranger.client);
    ok(await business.make('ann', 2));
    ok(await business.make('ann', 2));
    expect(await empty.next()).toMatchObject({ event: 'bookmark' });
    expect(await empty.next()).toMatchObject({ event: 'bookmark' });
  });
});

describe('a stream for a page', () => {
  const offers = () =>
    Promise.all(
      Array.from({ length: 7 }, async () => ok(await business.client.post('/bets/batch', offerBatch('ann', 'busy')))),
    );

  beforeAll(async () => {
    ok(await business.client.post('/transactions/fund-user', { user_reference: 'ann', amount: 10_000 }));
  });

  it('has the newest 100 events, behind how many others there were', async () => {
    const { head, head_seq: before } = await log('limit=1');
    await offers();
    const { data, head_seq: last } = await log(`after=${head}&limit=1000`);
    const stream = await open(`?after=${head}&conflate_ms=1000`);
    await stream.next();
    const left = data.slice(0, -100);
    const types = [...new Set(left.map(({ type }: { type: string }) => type))].sort();
    expect(await stream.next()).toMatchObject({ event: 'skipped', id: undefined, data: { count: left.length, types } });
    expect(seqsOf(await stream.events(100))).toEqual(upTo(last - 99, last));
    expect(left.length).toBe(last - before - 100);
    const [offer] = types.filter((type) => type === 'offer.made');
    const filtered = await open(`?after=${head}&conflate_ms=1000&types=wager.*,user.*`);
    const [, created] = await filtered.until(({ event }) => event !== 'bookmark');
    expect([offer, created?.event]).toEqual(['offer.made', 'wager.created']);
  });

  it('misses no number of what comes while it is open, and leaves other streams whole', async () => {
    const newest = await open('?conflate_ms=200');
    const { head_seq: before } = await log('limit=1');
    await offers();
    const whole = await open('?conflate_ms=0');
    const { head_seq: between } = await log('limit=1');
    await offers();
    const { head_seq: last } = await log('limit=1');
    const frames = await newest.until(({ data }) => data.seq === last);
    const shown = seqsOf(frames.filter(({ event }) => event.includes('.')));
    const skipped = frames.filter(({ event }) => event === 'skipped').reduce((sum, { data }) => sum + data.count, 0);
    expect(shown.length + skipped).toBe(last - before);
    expect(shown).toEqual([...new Set(shown)].toSorted((one, other) => one - other));
    expect(seqsOf(await whole.events(last - between))).toEqual(upTo(between + 1, last));
  });

  it('about one user needs every event, and is bookmarked past what it leaves out', async () => {
    const { id } = (await log('types=user.created')).data[1].user;
    const ofBob = await open(`?user_id=${id}&conflate_ms=200`);
    await ofBob.next();
    await offers();
    const { head } = await log('limit=1');
    const [bookmark] = await ofBob.until(({ id: at }) => at === head);
    expect(bookmark).toMatchObject({ event: 'bookmark' });
    ok(await business.client.post('/transactions/fund-user', { user_reference: 'bob', amount: 1 }));
    expect((await ofBob.events(1))[0]).toMatchObject({ event: 'transaction.created' });
  });
});

describe('a stream ends', () => {
  it('when its token is revoked, and shows nothing that is committed after that', async () => {
    const [kept, revoked] = [business.client, business.client.as({ token: await logIn(api.client, business.account) })];
    const [lasting, ending] = [await open(), await open('', {}, revoked)];
    const onOther = await StreamReader.open(
      Object.assign(Object.create(revoked), { baseUrl: api.clients[1]?.baseUrl }),
      '/events/stream?after=now',
    );
    streams.push(onOther);
    ok(await revoked.post('/auth/logout/account'), 200);
    ok(await kept.post('/transactions/fund-user', { user_reference: 'ann', amount: 1 }));
    for (const stream of [ending, onOther]) {
      expect((await stream.rest()).map(({ event, data }) => [event, data.reason])).toEqual([
        ['bookmark', undefined],
        ['end', 'access'],
      ]);
    }
    expect((await lasting.events(1))[0]).toMatchObject({ event: 'transaction.created' });
  });

  it('when an admin who reads another account is none any more', async () => {
    const former = await registerAdmin(api.client, api.database);
    const account = business.account.id;
    const stream = await open(`?account_id=${account}`, {}, former.client);
    ok(await admin.client.patch(`/admin/accounts/${former.id}`, { role: 'business' }), 200);
    expect((await stream.rest()).at(-1)).toMatchObject({ event: 'end', data: { reason: 'access' } });
  });

  it('when its token expires', async () => {
    const token = await logIn(api.client, business.account);
    const id = token.split('.')[0];
    await api.database.query(
      `UPDATE access_tokens SET expires_at = now() + interval '1 second'
        WHERE id = (SELECT max(id) FROM access_tokens WHERE account_id = ${id})`,
    );
    const stream = await open('', {}, business.client.as({ token }));
    expect((await stream.rest()).at(-1)).toMatchObject({ event: 'end', data: { reason: 'access' } });
  });

  it('when the process stops, and is told when to come back', async () => {
    const stopping = await startTestApi(api.environment);
    const client = Object.assign(Object.create(business.client), { baseUrl: stopping.client.baseUrl });
    const stream = await open('', {}, client);
    await stream.next();
    const clock = startClock();
    await stopping.close();
    expect(clock.now()).toBeLessThan(5_000);
    await clock.stop();
    expect(await stream.rest()).toMatchObject([{ event: 'end', data: { reason: 'shutdown' }, retry: 1_000 }]);
  });
});

describe('a stream is refused', () => {
  it.each([
    ['after=abc', 'after must be a cursor'],
    ['types=bet.won', 'types must name types of events: bet.won is none'],
    ['user_id=1e3', 'user_id must be an integer number'],
  ])('%s: %s', async (query, fault) => {
    const { status, body } = await business.client.get(`/events/stream?${query}`);
    expect([status, body.message]).toEqual([400, [fault]]);
  });

  it('when the history of its cursor was undone', async () => {
    const { head } = await log('limit=1');
    const future = Buffer.from(head, 'base64url');
    future.writeBigInt64BE(1_000_000n, 9);
    const headers = { 'Last-Event-ID': future.toString('base64url') };
    const { status, body } = await business.client.get('/events/stream', { headers });
    expect([status, body]).toEqual([409, { status: 409, error: 'cursor unknown: history was restored', head }]);
  });

  it('when it is not accepted', async () => {
    const statuses = ['application/json', 'text/*', '*/*'].map(async (accept) => {
      const answer = await business.client.get('/events/stream', { headers: { Accept: accept } });
      return answer.status;
    });
    expect(await Promise.all(statuses)).toEqual([406, 200, 200]);
  });

  it.each([
    { most: 20, kind: 'plain', path: '/events/stream', elsewhere: '/events/stream?conflate_ms=1000' },
    { most: 40, kind: 'conflated', path: '/events/stream?conflate_ms=1000', elsewhere: '/events/stream' },
  ])('when $most $kind ones of the account are open, until one is closed', async ({ most, path, elsewhere }) => {
    const opened = await Promise.all(Array.from({ length: most }, () => open(path.slice('/events/stream'.length))));
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: most }, () => 200));
    const refused = await business.client.get(path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    const countOpen = async () =>
      valueIn((await api.client.get('/metrics')).body as string, 'ledger_streams_open', { kind: 'events' });
    await waitFor(async () => (await countOpen()) === most);
    expect((await open(elsewhere.slice('/events/stream'.length))).status).toBe(200);
    opened[0]?.close();
    await waitFor(async () => (await business.client.get(path)).status === 200);
    expect((await open('', {}, stranger.client)).status).toBe(200);
  });

  it('with an empty answer to HEAD, which holds no stream', async () => {
    const headers = { Authorization: `Bearer ${business.account.token}` };
    const answer = await fetch(`${api.client.baseUrl}/events/stream`, { method: 'HEAD', headers });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});
