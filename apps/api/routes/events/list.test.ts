import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, TestClient } from '#testing/client.js';
import { valueIn } from '#testing/metrics.js';
import { createQuickAccount } from '#testing/quick-accounts.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ settings: { SETTLEMENT_BOUND: '2' }, hasWorker: true });
const business = withBusiness(api);
let stranger: TestBusiness;
let admin: Admin;
let accountId: number;
let accountName: string;

interface Event {
  readonly seq: number;
  readonly cursor: string;
  readonly type: string;
  readonly at: string;
  readonly group: { readonly first: number; readonly last: number };
  readonly request_id: string;
  readonly bet?: { readonly id: number };
}

const events = async (query = '', client: TestClient = business.client): Promise<Event[]> =>
  ok(await client.get(`/events?${query.includes('limit=') ? '' : 'limit=1000&'}${query}`), 200).data;
const typesOf = (found: readonly Event[]) => found.map(({ type }) => type);
const since = async (work: () => Promise<unknown>): Promise<Event[]> => {
  const { head } = ok(await business.client.get('/events?limit=1'), 200);
  await work();
  return events(`after=${head}`);
};

beforeAll(async () => {
  stranger = await openTestBusiness(api.client);
  admin = await registerAdmin(api.client, api.database);
  ({ id: accountId, name: accountName } = ok(await business.client.get('/auth/account/me'), 200).data);
  for (const name of ['ann', 'bob', 'cat']) await business.user(name);
});

describe('the event log', () => {
  it('tells of users and money, with who asked and by which request', async () => {
    const [created, funded] = await events('limit=2');
    expect(created).toMatchObject({
      seq: 1,
      type: 'user.created',
      group: { first: 1, last: 1 },
      user: { id: expect.any(Number), reference: 'ann', name: 'ann', preferences: null, meta: null },
      actor: {
        kind: 'account',
        account_id: accountId,
        api_key_id: null,
        operator_id: expect.any(Number),
        name: accountName,
      },
    });
    expect(funded).toMatchObject({
      seq: 2,
      type: 'transaction.created',
      transactions: [{ amount: 1000, transaction_type: 'credit', balance_after: 1000 }],
    });
    const change = await business.client.patch('/account/user/ann/reference', { name: 'Ann' });
    const [latest] = await events('types=user.updated');
    expect(latest).toMatchObject({ user: { name: 'Ann' }, request_id: change.headers.get('x-request-id') });
  });

  it('has one group for a batch, none for what was refused, and names the request for the work of the worker', async () => {
    const operation = (id: string, amount: number) => ({
      operation_id: id,
      operation_type: 'make_bet_offer',
      data: {
        wager_reference: 'batched',
        requesting_user_reference: 'cat',
        requesting_odds: 2,
        requesting_amount: amount,
      },
    });
    const refused = await since(async () => {
      const single = await business.make('cat', 1_000_000, 2, { wager_reference: 'refused' });
      const batch = await business.client.post('/bets/batch', {
        operations: [operation('1', 1), operation('2', 1_000_000)],
      });
      expect([single.status, batch.status]).toEqual([400, 400]);
    });
    expect(refused).toEqual([]);
    const body = { operations: [1, 2, 3, 4].map((amount) => operation(String(amount), amount)) };
    const made = await since(() => business.client.post('/bets/batch', body));
    expect(typesOf(made)).toEqual(['wager.created', ...Array.from({ length: 4 }, () => 'offer.made')]);
    expect(new Set(made.map(({ group }) => group.first))).toEqual(new Set([made[0]?.seq]));
    const { head } = ok(await business.client.get('/events?limit=1'), 200);
    const decision = await business.decide('loss', 'batched');
    const waiting = await business.client.get(`/events?after=${head}&types=wager.settled&wait_ms=20000`);
    expect(waiting.body.data).toMatchObject([{ actor: { kind: 'worker' }, wager: { reference: 'batched' } }]);
    const all = await events(`after=${head}`);
    expect(typesOf(all)).toEqual([
      'wager.decided',
      ...Array.from({ length: 4 }, () => 'offer.expired'),
      'wager.settled',
    ]);
    expect(new Set(all.map(({ request_id: id }) => id))).toEqual(new Set([decision.headers.get('x-request-id')]));
  });

  it('tells of corrections with the admin who made them', async () => {
    ok(await business.match('ann', 'bob', 10).then(() => business.decide('win')));
    const correction = { account_id: accountId, wager_reference: 'match', outcome: 'loss' };
    const corrected = await since(() => admin.client.post('/admin/wagers/force-update-outcome', correction));
    expect(corrected[0]).toMatchObject({ type: 'wager.corrected', actor: { kind: 'admin', account_id: admin.id } });
  });

  it('is read in pages behind their cursors, and each event by its number', async () => {
    const all = await events();
    const first = ok(await business.client.get('/events?limit=7'), 200);
    expect(first).toMatchObject({ data: all.slice(0, 7), next_seq: 7, head_seq: all.length, has_more: true });
    expect(await events(`after=${first.next}`)).toEqual(all.slice(7));
    expect(ok(await business.client.get(`/events/${all.length}`), 200).data).toEqual(all.at(-1));
    const end = ok(await business.client.get(`/events?after=${first.head}`), 200);
    expect(end).toMatchObject({ data: [], next: end.head, next_seq: end.head_seq, has_more: false });
  });

  it('is read from its end with the newest first', async () => {
    const all = await events();
    const newest = ok(await business.client.get('/events?sort_direction=desc&limit=3'), 200);
    expect(newest.data).toEqual(all.slice(-3).toReversed());
    expect(newest).toMatchObject({ next_seq: all.length - 2, head_seq: all.length, has_more: true });
    expect(await events(`sort_direction=desc&before=${newest.next}`)).toEqual(all.slice(0, -3).toReversed());
    const oldest = ok(await business.client.get(`/events?sort_direction=desc&before=${all[0]?.cursor}`), 200);
    expect(oldest).toMatchObject({ data: [], next: all[0]?.cursor, next_seq: 1, has_more: false });
  });

  it('takes filters by types, wagers, users and bets', async () => {
    const all = await events();
    const ofTypes = all.filter(({ type }) => type.startsWith('offer.') || type === 'bet.settled');
    expect(await events('types=offer.*,bet.settled')).toEqual(ofTypes);
    const ofWager = all.filter((event) => (event as { wager?: { reference: string } }).wager?.reference === 'match');
    expect(await events('wager_reference=match')).toEqual(ofWager);
    const bet = ofWager.find((event) => event.bet !== undefined)?.bet?.id;
    expect(await events(`bet_id=${bet}`)).toEqual(all.filter((event) => event.bet?.id === bet));
    const cat = ok(await business.client.get('/account/user/cat/reference'), 200).data.id;
    expect(typesOf(await events(`user_id=${cat}&types=user.*,transaction.*`))).toEqual([
      'user.created',
      'transaction.created',
    ]);
  });

  it('is seen by its account and by admins alone', async () => {
    const [own] = await events('limit=1');
    expect(await events(`account_id=${accountId}`, stranger.client)).toEqual([]);
    expect(await events(`account_id=${accountId}&limit=1`, admin.client)).toEqual([own]);
    expect((await stranger.client.get(`/events/1?account_id=${accountId}`)).status).toBe(404);
    const foreign = await stranger.client.get(`/events?after=${own?.cursor}`);
    expect([foreign.status, foreign.body.message]).toEqual([400, ['after must be a cursor']]);
  });
});

describe('Ledger-As-Of', () => {
  const asOf = async (path: string) => (await business.client.get(path)).headers.get('ledger-as-of');

  it.each(['/bets/open-bets', '/wagers/match', '/account/user/ann/statement', '/reconciliation?date=2099-01-01'])(
    'is the last event that a read shows: %s',
    async (path) => {
      const { head } = ok(await business.client.get('/events?limit=1'), 200);
      expect(await asOf(path)).toBe(head);
    },
  );

  it('is not there when a list is of several accounts', async () => {
    const both = await admin.client.get(`/wagers?account_ids=${accountId},${admin.id}`);
    expect([both.status, both.headers.get('ledger-as-of')]).toEqual([200, null]);
    const one = await admin.client.get(`/wagers?account_ids=${accountId}`);
    expect(one.headers.get('ledger-as-of')).toBe(await asOf('/wagers'));
  });
});

describe('bad input', () => {
  it.each([
    ['limit=0', 'limit must not be less than 1'],
    ['limit=1001', 'limit must not be greater than 1000'],
    ['limit=1e3', 'limit must be an integer number'],
    ['limit=01', 'limit must be an integer number'],
    ['wait_ms=30001', 'wait_ms must not be greater than 30000'],
    ['types=offer.made,bet.won', 'types must name types of events: bet.won is none'],
    ['types=ofer.*', 'types must name types of events: ofer.* is none'],
    ['after=abc', 'after must be a cursor'],
    ['sort_direction=desc&before=abc', 'before must be a cursor'],
    ['before=abc', 'before must be used with sort_direction=desc'],
    ['sort_direction=desc&after=abc', 'after must be used with sort_direction=asc'],
    ['sort_direction=desc&wait_ms=1', 'wait_ms must be used with sort_direction=asc'],
    ['user_id=1.0', 'user_id must be an integer number'],
    ['bet_id=0', 'bet_id must not be less than 1'],
  ])('%s: %s', async (query, fault) => {
    const { status, body } = await business.client.get(`/events?${query}`);
    expect([status, body.message]).toEqual([400, [fault]]);
  });

  it('a cursor of a history that was undone is told from one of this history', async () => {
    const undone = Buffer.from((await events('limit=2'))[1]?.cursor ?? '', 'base64url');
    undone.writeUInt8(undone.readUInt8(20) ^ 1, 20);
    const { head } = ok(await business.client.get('/events?limit=1'), 200);
    const { status, body }: Answer = await business.client.get(`/events?after=${undone.toString('base64url')}`);
    expect([status, body]).toEqual([409, { status: 409, error: 'cursor unknown: history was restored', head }]);
  });

  it('too many that wait are refused, and one that hangs up makes room', async () => {
    const { head } = ok(await business.client.get('/events?limit=1'), 200);
    const hangingUp = new AbortController();
    const { signal } = hangingUp;
    const url = `${business.client.baseUrl}/events?after=${head}&wait_ms=30000`;
    const headers = { Authorization: `Bearer ${business.account.token}` };
    const waits = Array.from({ length: 21 }, () => fetch(url, { headers, signal }));
    const refused = await Promise.any(waits);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    hangingUp.abort();
    await Promise.allSettled(waits);
  });

  it('accounts of one network share what may wait, and others wait besides', async () => {
    const hangingUp = new AbortController();
    const waiting = async (registeredFrom: string | null) => {
      const { token } = await createQuickAccount(api.database, { registeredFrom });
      const headers = { Authorization: `Bearer ${token}` };
      const url = `${api.client.baseUrl}/events?wait_ms=30000`;
      return () => fetch(url, { headers, signal: hangingUp.signal });
    };
    const metric = async (name: string, labels?: Record<string, string>) =>
      valueIn((await api.client.get('/metrics')).body as string, name, labels) ?? 0;
    const refusals = () => metric('ledger_quota_refusals_total', { quota: 'long-polls' });
    const countWaiting = () => metric('ledger_event_waiting');
    await waitFor(async () => (await countWaiting()) === 0);
    const refusalsBefore = await refusals();
    const crowd = await Promise.all(Array.from({ length: 10 }, () => waiting('192.0.2.0/24')));
    const waits = crowd.flatMap((wait) => Array.from({ length: 20 }, wait));
    await waitFor(async () => (await countWaiting()) === 200);

    const refused = await (await waiting('192.0.2.0/24'))();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    waits.push((await waiting('192.0.3.0/24'))(), (await waiting(null))());
    await waitFor(async () => (await countWaiting()) === 202);
    expect((await refusals()) - refusalsBefore).toBe(1);

    hangingUp.abort();
    await Promise.allSettled(waits);
    await waitFor(async () => (await countWaiting()) === 0);
  });
});
