import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { UNKNOWN_CAUSE } from '#events/event-cause.js';
import { logEvents } from '#events/log-events.js';
import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';
import { refusing, useWebhooks } from '#testing/webhook-fixture.js';
import { answering, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';
import {
  changeEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  replayEndpoint,
  rotateSecret,
} from './manage-endpoints.js';
import { resealSecrets } from './reseal-secrets.js';
import { createSecretBox, newSecret, type SecretBox } from './secret-box.js';

const hooks = useWebhooks();

describe('an ordered endpoint', () => {
  it('gets every event after its beginning once, in order, signed by the standard', async () => {
    await hooks.happen(1);
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1, 2, 3);
    const last = await hooks.head();
    expect(await hooks.deliver(endpoint)).toBe('done');
    expect(hooks.seqs()).toEqual([last - 2, last - 1, last]);
    expect(await hooks.row()).toMatchObject({ state: 'active', cursor: last, lease: null });
    const key = Buffer.from(endpoint.secret.replace('whsec_', ''), 'base64');
    expect(key).toHaveLength(32);
    for (const { text, headers, body } of hooks.receiver.received) {
      const id = `evt_1_${body.data.seq}`;
      expect(new Webhook(endpoint.secret).verify(text, headers as Record<string, string>)).toEqual(body);
      const signed = `${id}.${headers['webhook-timestamp']}.${text}`;
      const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
      const names = { 'webhook-endpoint': String(endpoint.id), 'webhook-account': '1' };
      expect(headers).toMatchObject({ 'webhook-id': id, 'webhook-signature': signature, ...names });
      expect(Object.keys(body)).toEqual(['type', 'timestamp', 'cursor', 'data']);
      expect([body.type, body.timestamp, body.cursor]).toEqual(['user.updated', body.data.at, body.data.cursor]);
    }
    expect(await hooks.deliver(endpoint)).toBe('done');
    expect(hooks.receiver.received).toHaveLength(3);
    expect(await hooks.isDue()).toBe(false);
  });

  it('waits for what it has not taken, tries by the schedule, and misses nothing', async () => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1, 2, 1);
    const last = await hooks.head();
    hooks.receiver.receive = refusing([2]);
    await hooks.deliver(endpoint);
    expect(hooks.seqs()).toEqual([last - 2, last - 1]);
    expect(await hooks.row()).toMatchObject({ state: 'failing', failing_since: hooks.start });
    const pausesMs = [5_000, 10_000, 20_000, 40_000, 120_000, 300_000, 1_800_000, 2 * HOUR_MS];
    for (const pauseMs of pausesMs) {
      hooks.later(pauseMs - 1);
      expect(await hooks.isDue()).toBe(false);
      await hooks.deliver(endpoint);
      hooks.later(1);
      expect(await hooks.isDue()).toBe(true);
      await hooks.deliver(endpoint);
    }
    expect(hooks.seqs()).toEqual([last - 2, ...Array(pausesMs.length + 1).fill(last - 1)]);
    expect(new Set(hooks.receiver.received.slice(1).map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([`evt_1_${last - 1}`]),
    );
    hooks.receiver.receive = answering(200);
    hooks.later(5 * HOUR_MS);
    await hooks.deliver(endpoint);
    expect(hooks.seqs().slice(-2)).toEqual([last - 1, last]);
    expect(await hooks.row()).toMatchObject({ state: 'active', failing_since: null, cursor: last });
    expect(await hooks.waiting()).toEqual([]);
  });

  it('that is down for a day gets everything then, in order', async () => {
    const endpoint = await hooks.make('ordered');
    hooks.receiver.receive = answering(503);
    for (let hour = 0; hour < 24; hour += 1) {
      await hooks.happen(1, 1, 1, 1, 1);
      await hooks.deliver(endpoint);
      hooks.later(HOUR_MS);
    }
    const last = await hooks.head();
    hooks.receiver.received.length = 0;
    hooks.receiver.receive = answering(200);
    hooks.later(14 * HOUR_MS);
    await hooks.deliver(endpoint);
    expect(hooks.seqs()).toEqual(Array.from({ length: 120 }, (_, index) => last - 119 + index));
    expect(await hooks.mails()).toEqual([]);
  });

  it.each([
    ['a redirect', answering(301, { Location: 'http://127.0.0.1:1/' }), 301, 'status'],
    ['silence', () => undefined, null, 'timeout'],
    [
      'a broken connection',
      (_webhook: unknown, response: { destroy(): void }) => response.destroy(),
      null,
      'not-reachable',
    ],
  ] as const)('takes %s for a failure', async (_what, receive, status, error) => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1);
    hooks.receiver.receive = receive as WebhookReceiver['receive'];
    const deliver = error === 'timeout' ? hooks.createWorker({ timeoutMs: 500 }) : hooks.deliver;
    await deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(1);
    const [attempt] = await hooks.query('SELECT status, error, seq::int FROM webhook_attempts');
    expect(attempt).toEqual({ status, error, seq: await hooks.head() });
    expect(await hooks.row()).toMatchObject({ state: 'failing' });
  });

  it('may answer slowly and much once it has said 200', async () => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1, 2);
    hooks.receiver.receive = (_webhook, response) => void response.writeHead(200).write(Buffer.alloc(10_000_000, 'x'));
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(2);
    expect(await hooks.row()).toMatchObject({ state: 'active', cursor: await hooks.head() });
  });

  it('gets of an event that is too large only where to read it', async () => {
    const endpoint = await hooks.make('ordered');
    const events = [{ kind: 'user.updated', ref: 1n, extra: { name: 'x'.repeat(20_000) } }] as const;
    await hooks.change(async (tx) => logEvents(tx, { accountId: 1n, cause: UNKNOWN_CAUSE, events }));
    await hooks.deliver(endpoint);
    const [{ body }] = hooks.receiver.received as [WebhookReceiver['received'][0]];
    const { seq, cursor, at } = body.data;
    expect([seq, cursor]).toEqual([await hooks.head(), body.cursor]);
    expect(body.data).toEqual({ seq, cursor, at, type: 'user.updated', is_shortened: true });
  });

  it('is left alone for as long as it asks', async () => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1);
    hooks.receiver.receive = answering(429, { 'Retry-After': '600' });
    await hooks.deliver(endpoint);
    hooks.later(599_000);
    expect(await hooks.isDue()).toBe(false);
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(1);
    hooks.later(2_000);
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(2);
  });
});

describe('an endpoint that always asks for one second', () => {
  it('gets a try a minute after the first five', async () => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1);
    hooks.receiver.receive = answering(503, { 'Retry-After': '1' });
    for (let second = 0; second <= 130; second += 1) {
      if (await hooks.isDue()) await hooks.deliver(endpoint);
      hooks.later(1_000);
    }
    expect(hooks.seqs()).toHaveLength(7);
  });
});

describe('an endpoint that does not work', () => {
  it('is disabled by 410 at once, keeps its position, and goes on when it is enabled', async () => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1, 2);
    const last = await hooks.head();
    hooks.receiver.receive = answering(410);
    await hooks.deliver(endpoint);
    expect(await hooks.row()).toMatchObject({ state: 'disabled', disabled_reason: 'gone' });
    expect(await hooks.mails()).toEqual(['webhook-disabled-mail']);
    const [logged] = await hooks.query('SELECT kinds, extras FROM event_groups ORDER BY last_seq DESC LIMIT 1');
    expect(logged).toMatchObject({ kinds: [23], extras: { 0: { disabled_reason: 'gone' } } });
    hooks.later(10 * DAY_MS);
    expect(await hooks.isDue()).toBe(false);
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(1);
    hooks.receiver.receive = answering(200);
    await hooks.change((tx) => enableEndpoint(tx, endpoint));
    await hooks.deliver(endpoint);
    expect(hooks.seqs()).toEqual([last - 1, last - 1, last]);
  });

  it('is disabled after five days, with a mail after one day and at the end', async () => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1);
    hooks.receiver.receive = answering(500);
    const mails: [number, number][] = [];
    for (let tries = 1; (await hooks.row())?.state !== 'disabled'; tries += 1) {
      await hooks.deliver(endpoint);
      const [next] = (await hooks.query('SELECT next_at FROM webhook_deliveries')) as [{ next_at: Date }];
      mails.push([(await hooks.mails()).length, (hooks.now.getTime() - hooks.start.getTime()) / HOUR_MS]);
      hooks.later(next.next_at.getTime() - hooks.now.getTime());
      expect(tries).toBeLessThan(17);
    }
    const [first] = mails.find(([count]) => count === 1) as [number, number];
    expect(first).toBe(1);
    expect(mails.find(([count]) => count === 1)?.[1]).toBeGreaterThanOrEqual(24);
    expect(mails.at(-1)).toEqual([2, 120]);
    expect(await hooks.mails()).toEqual(['webhook-failing-mail', 'webhook-disabled-mail']);
    expect(await hooks.row()).toMatchObject({ state: 'disabled', disabled_reason: 'failing' });
    expect(await hooks.waiting()).toHaveLength(1);
  });
});

describe('a delivery under way', () => {
  it('is of one worker at a time, and goes on after the lease of one that has died', async () => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1, 2);
    const other = hooks.createWorker();
    let second: Promise<unknown> | undefined;
    hooks.receiver.receive = async (_webhook, response) => {
      second ??= other(endpoint);
      expect(await second).toBe('done');
      response.writeHead(200).end();
    };
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(2);
    await hooks.happen(1);
    await hooks.query(`UPDATE webhook_endpoints SET lease = 'of the dead', lease_until = now() + interval '1 hour'`);
    expect(await hooks.isDue()).toBe(false);
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(2);
    await hooks.query('UPDATE webhook_endpoints SET lease_until = now()');
    expect(await hooks.isDue()).toBe(true);
    await hooks.deliver(endpoint);
    expect(hooks.receiver.received).toHaveLength(3);
  });

  it('counts only when it is noted: a worker that dies after the answer sends it again', async () => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1, 2);
    const last = await hooks.head();
    // Another worker has taken over before the answer is noted.
    hooks.meanwhile(() => hooks.query(`UPDATE webhook_endpoints SET lease = 'of another', lease_until = now()`));
    await hooks.deliver(endpoint);
    expect(hooks.seqs()).toEqual([last - 1]);
    expect(await hooks.waiting()).toEqual([last - 1, last]);
    await hooks.deliver(endpoint);
    expect(hooks.seqs()).toEqual([last - 1, last - 1, last]);
  });

  it('writes nothing into an endpoint that was changed or deleted meanwhile', async () => {
    const change = (use: Parameters<typeof hooks.change<unknown>>[0]) => hooks.meanwhile(() => hooks.change(use));
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1, 2);
    const last = await hooks.head();
    change((tx) => replayEndpoint(tx, endpoint, undefined));
    await hooks.deliver(endpoint);
    expect(await hooks.row()).toMatchObject({ cursor: 0, lease: null });
    await hooks.deliver(endpoint);
    expect(hooks.seqs().slice(-2)).toEqual([last - 1, last]);
    await hooks.happen(1);
    change((tx) => changeEndpoint(tx, endpoint, { types: ['wager.*'] }));
    await hooks.deliver(endpoint);
    expect(await hooks.waiting()).toEqual([]);
    await hooks.change((tx) => changeEndpoint(tx, endpoint, { types: ['user.*'] }));
    change((tx) => deleteEndpoint(tx, endpoint));
    await hooks.deliver(endpoint);
    expect(await hooks.query('SELECT FROM webhook_deliveries')).toEqual([]);
  });

  it('that its business disables gets nothing, and goes on exactly where it ended', async () => {
    const endpoint = await hooks.make('ordered');
    await hooks.happen(1, 2, 3);
    const last = await hooks.head();
    // The answer to a request that is under way is not noted: the event comes again.
    hooks.meanwhile(() => hooks.change((tx) => disableEndpoint(tx, endpoint)));
    await hooks.deliver(endpoint);
    expect(hooks.seqs()).toEqual([last - 2]);
    const disabled = { state: 'disabled', disabled_reason: 'requested', cursor: last, lease: null };
    expect(await hooks.row()).toMatchObject(disabled);
    await hooks.happen(1);
    hooks.later(DAY_MS);
    expect(await hooks.isDue()).toBe(false);
    await hooks.deliver(endpoint);
    expect(hooks.seqs()).toEqual([last - 2]);
    expect([await hooks.row(), await hooks.waiting()]).toMatchObject([disabled, [last - 2, last - 1, last]]);
    hooks.receiver.received.length = 0;
    await hooks.change((tx) => enableEndpoint(tx, endpoint));
    await hooks.deliver(endpoint);
    // Disabling and enabling are events too, of other types than it wants.
    expect(hooks.seqs()).toEqual([last - 2, last - 1, last, last + 2]);
    expect(await hooks.row()).toMatchObject({ state: 'active', disabled_reason: null, cursor: last + 3 });
    expect(await hooks.mails()).toEqual([]);
  });

  it('has both signatures for a day after a rotation', async () => {
    const endpoint = await hooks.make('ordered');
    const rotated = await hooks.change((tx) => rotateSecret(tx, hooks.box, endpoint, hooks.now));
    await hooks.happen(1);
    await hooks.deliver(endpoint);
    hooks.later(DAY_MS);
    await hooks.happen(1);
    await hooks.deliver(endpoint);
    const [both, one] = hooks.receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' '));
    expect([both?.length, one?.length]).toEqual([2, 1]);
    expectSigned([endpoint, rotated]);
  });
});

/** The first webhook is signed with each of these secrets. */
function expectSigned(secrets: readonly { readonly secret: string }[]): void {
  const [webhook] = hooks.receiver.received;
  for (const { secret } of secrets) {
    const verify = () => new Webhook(secret).verify(webhook?.text ?? '', webhook?.headers as Record<string, string>);
    expect(verify).not.toThrow();
  }
}

describe('the secret of an endpoint', () => {
  const nextKey = Buffer.alloc(32, 2);
  const boxOf = (...keys: readonly Buffer[]) => createSecretBox(keys) as SecretBox;

  it('is read with its own key, and in no row of another account', () => {
    const secret = newSecret();
    const stored = hooks.box.seal(1n, secret);
    expect(boxOf(nextKey, hooks.key).open(1n, stored)).toEqual(secret);
    expect(boxOf(nextKey).open(1n, stored)).toBeUndefined();
    expect(() => hooks.box.open(2n, stored)).toThrow();
    expect(hooks.box.seal(1n, secret)).not.toBe(stored);
  });

  it('signs as before when the provider has another key', async () => {
    const endpoint = await hooks.make('ordered');
    const rotated = await hooks.change((tx) => rotateSecret(tx, hooks.box, endpoint, hooks.now));
    await hooks.happen(1);
    const deliver = hooks.createWorker({ secretBox: boxOf(nextKey) });
    expect(await deliver(endpoint)).toBe('done');
    expect(hooks.receiver.received).toEqual([]);
    const resealing = () => resealSecrets(hooks.database, boxOf(nextKey, hooks.key));
    expect(await resealing()).toEqual({ resealed: 1, unreadable: 0 });
    expect(await resealing()).toEqual({ resealed: 0, unreadable: 0 });
    hooks.later(60_000);
    await deliver(endpoint);
    expectSigned([endpoint, rotated]);
  });

  it('signs alone as soon as it is rotated when the key of the one before is lost', async () => {
    const endpoint = await hooks.make('ordered');
    const box = boxOf(nextKey);
    const rotated = await hooks.change((tx) => rotateSecret(tx, box, endpoint, hooks.now));
    await hooks.happen(1);
    await hooks.createWorker({ secretBox: box })(endpoint);
    expectSigned([rotated]);
    expect(String(hooks.receiver.received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('has the present key afterwards, however many endpoints there are', async () => {
    await hooks.make('ordered');
    // Secrets are bound to the account alone.
    await hooks.query(
      `INSERT INTO webhook_endpoints (account_id, url, types, mode, cursor_seq, secret_now)
       SELECT account_id, url, types, mode, cursor_seq, secret_now FROM webhook_endpoints, generate_series(1, 1_500)`,
    );
    const box = boxOf(nextKey, hooks.key);
    expect(await resealSecrets(hooks.database, box)).toEqual({ resealed: 1_501, unreadable: 0 });
    const older = `SELECT FROM webhook_endpoints WHERE secret_now NOT LIKE '${box.keyId}:%'`;
    expect(await hooks.query(older)).toEqual([]);
  });

  it('has the present key also when the one before needs a lost key', async () => {
    const lost = hooks.key;
    const [second, third] = [Buffer.alloc(32, 3), Buffer.alloc(32, 4)];
    const endpoint = await hooks.make('ordered');
    const rotated = await hooks.change((tx) => rotateSecret(tx, boxOf(second), endpoint, hooks.now));
    const resealing = (...keys: Buffer[]) => resealSecrets(hooks.database, boxOf(third, ...keys));
    expect(await resealing()).toEqual({ resealed: 0, unreadable: 1 });
    expect(await resealing(second)).toEqual({ resealed: 1, unreadable: 1 });
    await hooks.happen(1);
    // With the lost key back, nothing was lost.
    await hooks.createWorker({ secretBox: boxOf(third, lost) })(endpoint);
    expectSigned([endpoint, rotated]);
  });
});
