import { beforeAll, describe, expect, it } from '@jest/globals';
import { queryFormOf } from '#http/request-input.js';
import type { TestClient } from '#testing/client.js';
import { insertBets, insertTransactions } from '#testing/list-rows.js';
import { routeTable } from '#testing/route-table.js';
import { acceptance, offer, ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { endpoints } from '../endpoints.js';

// Every route refuses what it does not know; every list has the same names, and keeps its former ones.

const api = withTestApi();
let own: TestClient;
let admin: TestClient;
let userId: number;

beforeAll(async () => {
  admin = (await registerAdmin(api.client, api.database)).client;
  const business = await openTestBusiness(api.client);
  own = business.client;
  const { id } = business.account;
  await insertBets(api.database, id, 60);
  await insertTransactions(api.database, id, 30);
  await api.database.query(
    'INSERT INTO balances (account_id, user_id, balance) SELECT account_id, id, id % 3 FROM users WHERE account_id = $1',
    [id],
  );
  userId = await business.user('ann', 100);
  await business.user('bob', 100);
  await business.match('ann', 'bob', 10);
  const [wager] = await api.database.query(`SELECT id FROM wagers WHERE reference = 'w1' AND account_id = $1`, [id]);
  await api.database.query('INSERT INTO positions (account_id, user_id, wager_id, win) VALUES ($1, $2, $3, 5)', [
    ...[id, userId],
    wager?.id,
  ]);
  for (const name of ['one', 'two', 'three']) ok(await own.post('/auth/account/api-keys', { name }));
  for (const kind of ['bets', 'transactions']) {
    ok(await own.post('/exports', { kind, from: '2026-01-01', to: '2026-02-01' }), 202);
  }
});

const faultsIn = async (path: string, client = own): Promise<readonly string[]> => {
  const { status, body } = await client.get(path);
  expect({ path, status, ...body }).toMatchObject({ path, status: 400, error: 'Bad Request', statusCode: 400 });
  return body.message;
};

/** The answer of a list, of users too. */
async function read(path: string) {
  const { data, ...frame } = ok(await own.get(path), 200);
  return { ...frame, ...(data.items === undefined ? { data } : { ...data, data: data.items }) };
}
const idsOf = async (path: string): Promise<readonly number[]> =>
  // biome-ignore lint/suspicious/noExplicitAny: the items of many lists
  (await read(path)).data.map((item: any) => item.id ?? item.wager_id);

describe('a parameter that a route does not know', () => {
  // The HEAD of a mail's link is answered 405 with any query; lenient-queries.test.ts has the other lenient routes.
  const lenient = ['/healthz', '/readyz', '/metrics', '/auth/account/verify-email'];
  const routes = routeTable().filter(({ method, path }) => method !== 'head' && !lenient.includes(path));

  it.each(routes.map(({ method, path }) => [method.toUpperCase(), path]))('is refused: %s %s', async (method, path) => {
    const target = `${path.replaceAll(/:\w+/g, (name) => (name === ':file' ? 'start.js' : '1'))}?colour=red`;
    const { status, body } = await admin.call(method, target, { body: method === 'GET' ? undefined : {} });
    expect({ status, ...body }).toEqual({
      status: 400,
      message: expect.arrayContaining(['property colour should not exist']),
      error: 'Bad Request',
      statusCode: 400,
    });
  });

  it('is refused together with the faults of the body, and changes nothing', async () => {
    const body = { user_reference: 'ann', amount: 5 };
    const before = await read('/transactions?per_page=1');
    const answers = [
      await own.post('/transactions/fund-user?dry_run=true', body),
      await own.post('/transactions/fund-user?dry_run=true', { ...body, amount: 0 }),
    ];
    expect(answers.map(({ body: { message } }) => message)).toEqual([
      ['property dry_run should not exist'],
      ['amount must not be less than 0.01', 'property dry_run should not exist'],
    ]);
    expect((await read('/transactions?per_page=1')).total).toBe(before.total);
    ok(await own.post('/transactions/fund-user?', body));
  });

  it('is told only to callers with a credential', async () => {
    expect((await api.client.get('/transactions?colour=red')).status).toBe(401);
  });
});

/** The lists and their walks, by the paths of their endpoints. */
const paths = (): Readonly<Record<string, string>> => ({
  '/account/user/:userId/positions': `/account/user/${userId}/positions`,
  '/account/user/:reference/statement': '/account/user/ann/statement',
  '/reconciliation': '/reconciliation?date=2026-03-02&include=users',
});

const pathOf = (path: string): string => paths()[path] ?? path;
const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** A value of each parameter that has a former name. */
const values: Readonly<Record<string, () => string>> = {
  user_id: () => String(userId),
  user_reference: () => 'u1,ann',
  wager_reference: () => 'w1,match',
  created_after: () => '2026-03-05',
  created_before: () => '2026-03-05',
  sort_direction: () => 'asc',
  per_page: () => '2',
};

const formerNames = endpoints.flatMap(({ path, query }) =>
  [...queryFormOf(query).parameters]
    .filter(([former, { name }]) => former !== name)
    .map(([former, { name }]): [string, string, string] => [path, former, name]),
);

describe('a former name', () => {
  it('is kept by every list that had one', () => {
    expect(formerNames.map((one) => one.join(' ')).sort()).toEqual([
      '/account/user sort_order sort_direction',
      '/account/user/:reference/statement limit per_page',
      '/bets/history user_ids user_id',
      '/bets/history user_references user_reference',
      '/bets/history wager_references wager_reference',
      '/bets/open-bets requesting_user_ids user_id',
      '/bets/open-bets requesting_user_references user_reference',
      '/bets/open-bets wager_references wager_reference',
      '/events limit per_page',
      '/events/matched-totals created_from created_after',
      '/reconciliation limit per_page',
      '/transactions end_date created_before',
      '/transactions start_date created_after',
      '/transactions user_ids user_id',
      '/transactions user_references user_reference',
      '/wagers reference wager_reference',
    ]);
  });

  it.each(formerNames)('of %s means the same: %s is %s', async (path, former, name) => {
    // What was matched was matched now.
    const value = former === 'created_from' ? '2099-01-01' : (values[name]?.() ?? '');
    const [present, before] = [name, former].map((one) => withQuery(pathOf(path), `${one}=${value}`));
    const { body } = await own.get(present ?? '');
    const answer = ok(await own.get(before ?? ''), 200);
    // A statement ends when it is read.
    expect({ ...answer, as_of: 0, from: 0, to: 0 }).toEqual({ ...body, as_of: 0, from: 0, to: 0 });
    expect(answer).not.toEqual(ok(await own.get(pathOf(path)), 200));
  });

  it.each(formerNames)('of %s does not stand beside the present one: %s and %s', async (path, former, name) => {
    const value = values[name]?.() ?? '';
    const query = `${former}=${value}&${name}=${value}&colour=red`;
    expect(await faultsIn(withQuery(pathOf(path), query))).toEqual([
      `${name} must not be given together with ${former}`,
      'property colour should not exist',
    ]);
  });

  it('has the cursors of the present one, and its faults', async () => {
    const { next } = await read('/bets/history?user_references=u1,u2&per_page=1');
    expect((await read(`/bets/history?user_reference=u1&user_reference=u2&cursor=${next}`)).data).not.toEqual([]);
    expect(await faultsIn('/transactions?start_date=x')).toEqual([
      'start_date must be a timestamp or an ISO 8601 date',
    ]);
  });
});

describe('a list of values', () => {
  it.each([
    ['/bets/history', 'user_reference', ['u1', 'u2']],
    ['/bets/open-bets', 'wager_references', ['w1', 'w2']],
    ['/transactions', 'user_reference', ['u1', 'u2']],
    ['/wagers', 'outcome', ['win', 'void']],
    ['/account/user', 'user_reference', ['u1', 'u2']],
    ['/account-events', 'type', ['api-key-created', 'registered']],
    ['/events', 'types', ['user.created', 'offer.*']],
  ])('of %s is written with commas or again and again: %s', async (path, name, [first, second]) => {
    const commas = await read(`${path}?${name}=${first},${second}`);
    for (const query of [`${name}=${first}&${name}=${second}`, `${name}[]=${first}&${name}[]=${second}`]) {
      expect(await read(`${path}?${query}`)).toEqual(commas);
    }
    expect(commas).not.toEqual(await read(`${path}?${name}=${first}`));
    expect(commas).not.toEqual(await read(path));
  });

  it('is no way to write a single value', async () => {
    const twice = '/bets/history?sort_direction=asc&sort_direction=desc&page[]=1';
    expect(await faultsIn(twice)).toEqual([
      'sort_direction must not be given more than once',
      'property page[] should not exist',
    ]);
    expect(await faultsIn('/events?wager_reference=a&wager_reference=b')).toEqual([
      'wager_reference must not be given more than once',
    ]);
  });
});

describe('every list', () => {
  const lists = endpoints.filter(({ query }) => queryFormOf(query).parameters.has('include_totals'));

  it('has a page, a cursor and an order', () => {
    expect(lists.length).toBeGreaterThan(10);
    for (const { path, query } of lists) {
      const names = [...queryFormOf(query).parameters.keys()];
      const wanted = ['page', 'per_page', 'cursor', 'sort_by', 'sort_direction'];
      expect([path, ...wanted.filter((name) => !names.includes(name))]).toEqual([path]);
    }
  });

  it('has the bounds of time where its rows have a time that is indexed, or are few', () => {
    const without = lists.filter(({ query }) => !queryFormOf(query).parameters.has('created_after'));
    expect(without.map(({ path }) => path)).toEqual(['/account/user/:userId/positions']);
  });

  it.each([
    ['/transactions', 'asc'],
    ['/account-events', 'asc'],
    ['/auth/account/api-keys', 'asc'],
    ['/exports', 'desc'],
    ['/account/user/:userId/positions', 'asc'],
  ] as const)('turns round: %s', async (given, usual) => {
    const path = `${pathOf(given)}?per_page=100`;
    const usually = await idsOf(path);
    expect(usually.length).toBeGreaterThan(1);
    expect(await idsOf(`${path}&sort_direction=${usual}`)).toEqual(usually);
    const turned = usual === 'asc' ? 'desc' : 'asc';
    expect(await idsOf(`${path}&sort_direction=${turned}`)).toEqual(usually.toReversed());
    const { next } = await read(`${pathOf(given)}?per_page=1&sort_direction=${turned}`);
    expect(await idsOf(`${pathOf(given)}?per_page=100&sort_direction=${turned}&cursor=${next}`)).toEqual(
      usually.toReversed().slice(1),
    );
  });

  it.each(['/wagers', '/account/user', '/auth/account/api-keys', '/auth/account/sessions', '/exports'])(
    'shows what was created between two moments: %s',
    async (path) => {
      const { data } = await read(`${path}?per_page=100`);
      // biome-ignore lint/suspicious/noExplicitAny: the items of many lists
      const moments: string[] = data.map(({ created_at }: any) => created_at).toSorted();
      const [first, last] = [moments[0], moments.at(-1)];
      const within = await read(`${path}?per_page=100&created_after=${first}&created_before=${last}`);
      expect([within.data.length, within.total]).toEqual([data.length, data.length]);
      const after = await read(`${path}?created_after=${Date.parse(last ?? '') + 1}`);
      expect([after.data, after.total]).toEqual([[], 0]);
      const before = await read(`${path}?created_before=${Date.parse(first ?? '') - 1}`);
      expect([before.data, before.total]).toEqual([[], 0]);
    },
  );

  it('of users shows those of any name', async () => {
    const [u1 = 0] = await idsOf('/account/user?search=u1');
    const both = await read(`/account/user?user_id=${userId}&user_reference=u1,nobody&sort_by=balance`);
    expect([both.total, ...both.data.map(({ reference }: { reference: string }) => reference)]).toEqual([
      2,
      'ann',
      'u1',
    ]);
    expect(await idsOf(`/account/user?user_id=${u1}&search=ann`)).toEqual([]);
    expect(await idsOf('/account/user?user_reference=nobody')).toEqual([]);
    expect((await admin.get(`/account/user?user_id=${userId}&user_reference=ann`)).body.data.items).toEqual([]);
  });

  it('of lines has the names of the others', async () => {
    const of = async (query: string) => ok(await own.get(`/account/user/ann/statement?${query}`), 200);
    const day = new Date().toISOString().slice(0, 10);
    const whole = await of(`created_after=${day}&created_before=${day}`);
    expect(whole).toMatchObject({ from: `${day}T00:00:00.000Z`, closing_balance: 105 });
    expect((await of(`from=${day}&created_before=${day}`)).to).toBe(whole.to);
    expect(await of('created_after=9999-12-01&created_before=9999-12-31')).toMatchObject({ lines: [], credits: 0 });
    const both = `created_after=${day}&from=${day}&created_before=${day}&to=${day}`;
    expect(await faultsIn(`/account/user/ann/statement?${both}`)).toEqual([
      'created_after must not be given together with from',
      'created_before must not be given together with to',
    ]);
  });

  it('of money and of positions shows those of a wager', async () => {
    const wager_reference = 'paid';
    ok(await own.post('/bets/make-offer', { ...offer('ann', 5), wager_reference }));
    ok(await own.post('/bets/accept-offer', { ...acceptance('bob', 5), wager_reference }));
    ok(await own.post('/bets/update-wager-outcome', { reference: wager_reference, outcome: 'win' }));
    const [bet] = (
      await read(`/bets/history?wager_reference=paid&include_bet_trails=true&include_bet_trails_transactions=true`)
    ).data;
    // biome-ignore lint/suspicious/noExplicitAny: trails of a bet
    const paid = bet.bet_trails.flatMap(({ transactions }: any) => transactions);
    expect(paid).toMatchObject([{ amount: 5 }, { amount: 5 }]);
    const { data, total } = await read('/transactions?wager_reference=paid,nowhere');
    expect([total, ...data]).toEqual([2, ...paid]);
    expect((await read('/transactions?wager_reference=paid&user_reference=bob&per_page=1')).total).toBe(1);
    expect((await read('/transactions?wager_reference=nowhere')).data).toEqual([]);
    const positions = await read(`/account/user/${userId}/positions`);
    const [first] = positions.data;
    expect(await read(`/account/user/${userId}/positions?wager_reference=${first.wager_reference}`)).toMatchObject({
      data: [first],
      total: 1,
      total_exposure: first.exposure,
    });
    expect(positions.total).toBeGreaterThan(1);
  });

  it('of events shows those of a time and of the name of a user', async () => {
    const { data } = await read('/events?per_page=1000');
    const { at } = data[2];
    // biome-ignore lint/suspicious/noExplicitAny: events
    const wanted = data.filter((event: any) => Date.parse(event.at) === Date.parse(at)).map(({ seq }: any) => seq);
    const within = await read(`/events?created_after=${Date.parse(at)}&created_before=${Date.parse(at)}&per_page=1000`);
    expect(within).toMatchObject({ has_more: false });
    expect(within.data.map(({ seq }: { seq: number }) => seq)).toEqual(wanted);
    expect(await read('/events?created_after=2100-01-01')).toMatchObject({ data: [], has_more: false });
    const past = performance.now();
    expect(await read(`/events?created_before=2020-01-01&wait_ms=30000`)).toMatchObject({ data: [], has_more: false });
    expect(performance.now() - past).toBeLessThan(20_000);
    expect((await read('/events?user_reference=ann')).data).toEqual((await read(`/events?user_id=${userId}`)).data);
    expect(await faultsIn(`/events?user_reference=ann&user_id=${userId}`)).toEqual([
      'user_reference must not be given together with user_id',
    ]);
  });

  it('of events has a cursor, in either direction', async () => {
    const { next } = await read('/events?per_page=2');
    expect(await read(`/events?cursor=${next}`)).toEqual(await read(`/events?after=${next}`));
    const back = `/events?sort_direction=desc&per_page=1`;
    const newest = await read(back);
    expect((await read(`${back}&cursor=${newest.next}`)).data).toEqual(
      (await read(`${back}&before=${newest.next}`)).data,
    );
    expect(await faultsIn(`/events?cursor=${next}&after=${next}`)).toEqual([
      'cursor must not be given together with after',
    ]);
    expect(await faultsIn('/events?cursor=abc')).toEqual(['cursor must be a cursor']);
  });
});
