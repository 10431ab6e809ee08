import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, registerAndLogIn, type TestClient } from '#testing/client.js';
import { valueIn } from '#testing/metrics.js';
import { createQuickAccount } from '#testing/quick-accounts.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ settings: { SETTLEMENT_BOUND: '2' }, hasWorker: true });
let business: TestBusiness;
let stranger: TestBusiness;
let admin: Admin;
let accountId: number;

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
  business = await openTestBusiness(api.client);
  stranger = await openTestBusiness(api.client);
  admin = await registerAdmin(api.client, api.database);
  accountId = ok(await business.client.get('/auth/account/me'), 200).data.id;
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
      actor: { kind: 'account', account_id: accountId, api_key_id: null, name: null },
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

  it('tells of an offer and what becomes of it, with the bet as each step left it', async () => {
    const found = await since(async () => {
      ok(await business.make('ann', 10, 2.5));
      ok(await business.accept('bob', 4));
      ok(await business.cancel('ann', { cancel_amount: 1 }));
    });
    expect(typesOf(found)).toEqual([
      ...['wager.created', 'offer.made', 'offer.matched', 'offer.made', 'offer.canceled', 'offer.made'],
    ]);
    const [, made, matched, rest, canceled, left] = found as (Event & { bet: Record<string, unknown> })[];
    expect(made).toMatchObject({ bet: { offer_status: 'requesting', accepting_user_id: null, requesting_amount: 10 } });
    expect(matched?.bet).toMatchObject({ id: made?.bet.id, effective_amount: 4, rest_bet_id: rest?.bet.id });
    expect(matched?.group).toEqual({ first: matched?.seq, last: rest?.seq });
    expect(canceled?.bet).toMatchObject({ id: rest?.bet.id, offer_status: 'canceled', rest_bet_id: left?.bet.id });
    expect(left?.bet).toMatchObject({ requesting_amount: 5 });
  });

  it('tells who may accept an offer that is not for everybody', async () => {
    const allowed = [await business.user('dan'), await business.user('eve')];
    const found = await since(async () => {
      const allowed_acceptor_references = ['dan', 'eve'];
      ok(await business.make('cat', 3, 2, { wager_reference: 'few', allowed_acceptor_references }));
      ok(await business.make('cat', 3, 2, { wager_reference: 'few' }));
    });
    const bets = found.flatMap(({ bet }) => bet ?? []);
    expect(bets[0]).toMatchObject({ allowed_acceptor_ids: allowed });
    expect(Object.keys(bets[1] ?? {})).toEqual([
      ...['id', 'offer_status', 'outcome', 'override_outcome', 'requesting_user_id', 'requesting_odds'],
      ...['requesting_amount', 'accepting_user_id', 'effective_odds', 'effective_amount'],
    ]);
  });

  it('tells of decisions, overrides and corrections, and of the money with the step that moved it', async () => {
    const bet = ok(await business.make('ann', 10, 2, { wager_reference: 'final' })).data.bet_id;
    ok(await business.accept('bob', 10, { wager_reference: 'final' }));
    const decided = await since(() => business.decide('win', 'final'));
    expect(typesOf(decided)).toEqual(['wager.decided', 'bet.settled', 'wager.settled']);
    expect(decided[0]).toMatchObject({ wager: { reference: 'final', outcome: 'win' } });
    expect(decided[1]).toMatchObject({
      bet: { id: bet, outcome: 'win', override_outcome: null },
      transactions: [
        { amount: 10, transaction_type: 'credit' },
        { amount: 10, transaction_type: 'debit' },
      ],
    });
    const overridden = await since(() => business.override(bet, 'void'));
    expect(typesOf(overridden)).toEqual(['bet.overridden', 'bet.settled']);
    expect(overridden.map((event) => ('transactions' in event ? event.transactions : []))).toMatchObject([
      [],
      [{}, {}, {}, {}],
    ]);
    const correction = { account_id: accountId, wager_reference: 'final', outcome: 'undecided' };
    const corrected = await since(() => admin.client.post('/admin/wagers/force-update-outcome', correction));
    expect(typesOf(corrected)).toEqual(['wager.corrected']);
    expect(corrected[0]).toMatchObject({ actor: { kind: 'admin', account_id: admin.id } });
    const decidedAgain = { ...correction, outcome: 'loss' };
    const again = await since(() => admin.client.post('/admin/wagers/force-update-outcome', decidedAgain));
    expect(typesOf(again)[0]).toBe('wager.corrected');
    const inactive = await since(() => admin.client.post(`/admin/bets/${bet}/set-inactive`, {}));
    expect(typesOf(inactive)).toEqual(['bet.deactivated', 'bet.unsettled']);
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

  it('has a group for each request, also for those that commit together', async () => {
    const together = await waitFor(async () => {
      const found = await since(() => Promise.all(Array.from({ length: 12 }, () => business.make('ann', 1))));
      const areTogether = (one: Event, other: Event) => one.at === other.at && one.request_id !== other.request_id;
      return found.some((one) => found.some((other) => areTogether(one, other))) && found;
    });
    for (const { group, request_id: id } of together) {
      const own = together.filter((one) => one.request_id === id).map(({ seq }) => seq);
      expect([group.first, group.last]).toEqual([own[0], own.at(-1)]);
    }
  });

  it('is read in pages and through filters without a gap, and each event by its number', async () => {
    const all = await events();
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted());
    const paged: Event[] = [];
    let after = '';
    for (let hasMore = true; hasMore; ) {
      const page = ok(await business.client.get(`/events?limit=7${after}`), 200);
      paged.push(...page.data);
      after = `&after=${page.next}`;
      hasMore = page.has_more;
      expect([page.next_seq, page.head_seq]).toEqual([page.data.at(-1)?.seq, all.length]);
    }
    expect(paged).toEqual(all);
    const offers = all.filter(({ type }) => type.startsWith('offer.') || type === 'bet.settled');
    expect(await events('types=offer.*,bet.settled')).toEqual(offers);
    const ofFinal = all.filter((event) => (event as { wager?: { reference: string } }).wager?.reference === 'final');
    expect(await events('wager_reference=final')).toEqual(ofFinal);
    expect(ofFinal.length).toBeGreaterThan(5);
    expect(await events('wager_reference=never')).toEqual([]);
    const last = all.at(-1);
    expect(ok(await business.client.get(`/events/${last?.seq}`), 200).data).toEqual(last);
    const cat = ok(await business.client.get('/account/user/cat/reference'), 200).data.id;
    expect(typesOf(await events(`user_id=${cat}&types=user.*,transaction.*`))).toEqual([
      'user.created',
      'transaction.created',
    ]);
    const none = ok(await business.client.get(`/events?after=${after.slice(7)}&wager_reference=never`), 200);
    expect(none).toMatchObject({ data: [], next: none.head, next_seq: none.head_seq, has_more: false });
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

describe('the newest first', () => {
  interface Page {
    readonly data: readonly Event[];
    readonly next: string;
    readonly next_seq: number;
    readonly has_more: boolean;
  }
  const back = async (query: string): Promise<Page> =>
    ok(await business.client.get(`/events?sort_direction=desc&${query}`), 200) as never;

  async function walkBack(query: string, before = ''): Promise<Event[]> {
    const walked: Event[] = [];
    let last = Number.POSITIVE_INFINITY;
    for (let cursor = before; ; ) {
      const page = await back(`${query}&before=${cursor}`);
      expect(page.next_seq).toBeLessThan(last);
      last = page.next_seq;
      walked.push(...page.data);
      cursor = page.next;
      if (!page.has_more) return walked;
    }
  }

  it('is the log from its end, page by page and through filters, down to the first event', async () => {
    const all = await events();
    for (const limit of [1, 7, all.length, 1000]) {
      expect([limit, await walkBack(`limit=${limit}`)]).toEqual([limit, all.toReversed()]);
    }
    const newest = await back('limit=3');
    expect(newest).toMatchObject({ next_seq: all.length - 2, has_more: true, head_seq: all.length });
    const offers = all.filter(({ type }) => type.startsWith('offer.'));
    expect(await walkBack('types=offer.*&limit=4')).toEqual(offers.toReversed());
    const ofFinal = await events('wager_reference=final');
    expect(await walkBack('wager_reference=final&limit=2')).toEqual(ofFinal.toReversed());
    expect(await back('wager_reference=never')).toMatchObject({ data: [], next_seq: 1, has_more: false });
    const middle = all[Math.floor(all.length / 2)] as Event;
    expect(await walkBack('limit=5', middle.cursor)).toEqual(all.slice(0, middle.seq - 1).toReversed());
    expect(await events(`after=${newest.next}`)).toEqual(all.slice(-2));
  });

  it('ends at the beginning, also of an account without an event', async () => {
    const [first] = await events('limit=1');
    const none = await back(`before=${first?.cursor}`);
    expect(none).toMatchObject({ data: [], next: first?.cursor, next_seq: 1, has_more: false });
    const fresh = (await registerAndLogIn(api.client)).client;
    const beginning = ok(await fresh.get('/events?sort_direction=desc'), 200);
    expect(beginning).toMatchObject({ data: [], next_seq: 0, head_seq: 0, has_more: false });
    const again = ok(await fresh.get(`/events?sort_direction=desc&before=${beginning.next}`), 200);
    expect(again).toEqual(beginning);
    ok(await fresh.post('/account/user', { name: 'first' }));
    expect(typesOf(await events('sort_direction=desc', fresh))).toEqual(['user.created']);
    expect(await events(`sort_direction=desc&before=${beginning.next}`, fresh)).toEqual([]);
  });
});

describe('Ledger-As-Of', () => {
  const asOf = async (path: string) => (await business.client.get(path)).headers.get('ledger-as-of');

  it('is the last event that a read shows', async () => {
    const bet = ok(await business.make('ann', 1)).data.bet_id;
    const transaction = ok(await business.client.get('/transactions?per_page=1'), 200).data[0].id;
    const ann = ok(await business.client.get('/account/user/ann/reference'), 200).data.id;
    const { head } = ok(await business.client.get('/events?limit=1'), 200);
    const reads = [
      ...['/account/user', '/account/user/ann/reference', `/account/user/${ann}/positions`, '/bets/open-bets'],
      ...[
        '/bets/history',
        '/bets/history?page=1000',
        '/bets/history?include_bet_trails=true',
        '/wagers',
        '/wagers/match',
      ],
      ...[`/bets/${bet}`, `/bets/${bet}?include_bet_trails=true`, '/transactions', `/transactions/${transaction}`],
      ...['/bets/open-bets?wager_references=match', '/bets/history?user_references=ann,bob'],
      ...['/bets/history?cursor=', '/transactions?cursor=&start_date=2099-01-01', '/wagers?cursor='],
      ...['/wagers/match/book', '/account/user/ann/statement', '/reconciliation?date=2099-01-01'],
    ];
    for (const path of reads) expect([path, await asOf(path)]).toEqual([path, head]);
    await business.client.patch('/account/user/ann/reference', { name: 'Ann B.' });
    expect(await asOf('/bets/open-bets')).not.toBe(head);
    expect(typesOf(await events(`after=${head}`))).toEqual(['user.updated']);
  });

  it('is not there when a list is of several accounts, or names what is unknown', async () => {
    const inexact = ['/bets/history?user_references=ann,nobody', '/bets/open-bets?wager_references=never'];
    // A past day shows what an audit finds, which is no event.
    for (const path of [...inexact, '/reconciliation?date=2020-01-01']) {
      expect([path, await asOf(path)]).toEqual([path, null]);
    }
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
    const [first, second] = await events('limit=2');
    const undone = Buffer.from(second?.cursor ?? '', 'base64url');
    undone.writeUInt8(undone.readUInt8(20) ^ 1, 20);
    const future = Buffer.from(second?.cursor ?? '', 'base64url');
    future.writeBigInt64BE(1_000_000n, 9);
    const head = ok(await business.client.get('/events?limit=1'), 200).head;
    for (const cursor of [undone, future]) {
      for (const side of ['after', 'sort_direction=desc&before']) {
        const query = `${side}=${cursor.toString('base64url')}`;
        const { status, body }: Answer = await business.client.get(`/events?${query}`);
        expect([status, body]).toEqual([409, { status: 409, error: 'cursor unknown: history was restored', head }]);
      }
    }
    expect((await events(`after=${first?.cursor}`))[0]).toEqual(second);
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
