import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { type BetRow, chooser, insertBets, readBets } from '#testing/list-rows.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let one: LoggedIn;
let other: LoggedIn;
let admin: LoggedIn;
let empty: LoggedIn;
const accountIds = new Map<LoggedIn, number>();
let bets: BetRow[];

const idOf = (account: LoggedIn) => accountIds.get(account) ?? 0;

beforeAll(async () => {
  const { database } = api;
  [one, other, admin, empty] = [
    await registerAndLogIn(api.client),
    await registerAndLogIn(api.client),
    await registerAndLogIn(api.client),
    await registerAndLogIn(api.client),
  ];
  await database.query(`UPDATE accounts SET role = 'admin' WHERE email = $1`, [admin.email]);
  for (const account of [one, other, admin, empty]) {
    const [row] = await database.query('SELECT id::int FROM accounts WHERE email = $1', [account.email]);
    accountIds.set(account, Number(row?.id));
  }
  await insertBets(database, idOf(one), 260);
  await insertBets(database, idOf(other), 90);
  await insertBets(database, idOf(admin), 40);
  bets = await readBets(database);
});

type Query = Record<string, string>;
type Rule = readonly [name: string, value: string, matches: (bet: BetRow) => boolean];

async function list(account: LoggedIn, path: string, query: Query) {
  const answer = await account.client.get(`${path}?${new URLSearchParams(query)}`);
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body;
}

const order = (by: keyof BetRow, direction: string) => (left: BetRow, right: BetRow) => {
  const [one, two] = [left[by] as number | null, right[by] as number | null];
  const sign = direction === 'desc' ? -1 : 1;
  if (one === null || two === null) return one === two ? sign * (left.id - right.id) : one === null ? 1 : -1;
  return sign * (one - two || left.id - right.id);
};

function expectPage(body: Record<string, unknown>, rows: readonly BetRow[], page: number, perPage: number): void {
  const shown = rows.slice((page - 1) * perPage, page * perPage);
  expect((body.data as { id: number }[]).map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
  expect(body).toMatchObject({
    page,
    per_page: perPage,
    total: rows.length,
    last_page: Math.max(1, Math.ceil(rows.length / perPage)),
    from: shown.length === 0 ? null : (page - 1) * perPage + 1,
    to: shown.length === 0 ? null : (page - 1) * perPage + shown.length,
  });
}

const NOON = '2026-03-04T18:00:00Z';
const after = (text: string) => (bet: BetRow) => bet.created_at >= Date.parse(text);
const until = (text: string) => (bet: BetRow) => bet.created_at <= Date.parse(text);

const timeRules: Rule[] = [
  ['created_after', NOON, after(NOON)],
  ['created_after', String(Date.parse(NOON)), after(NOON)],
  ['created_after', String(Date.parse(NOON) / 1000), after(NOON)],
  ['created_after', '2026-03-04', after('2026-03-04T00:00:00Z')],
  ['created_before', '2026-03-08', until('2026-03-08T23:59:59.999Z')],
  ['created_before', '2026-03-08T06:00:00.000Z', until('2026-03-08T06:00:00Z')],
  ['created_before', '2026-03-08T05:59:59.999Z', until('2026-03-08T05:59:59.999Z')],
];
const wagerRules: Rule[] = [
  ['wager_references', 'w1', (bet) => bet.wager_reference === 'w1'],
  ['wager_references', 'w0,w4, w4,nobody', (bet) => ['w0', 'w4'].includes(bet.wager_reference)],
  ['wager_references', 'nobody', () => false],
];

const userOf = (index: number) => bets[index]?.requesting_user_id ?? 0;

const openRules = (): Rule[] => [
  ...timeRules,
  ...wagerRules,
  ['requesting_user_references', 'u1,u2', (bet) => ['u1', 'u2'].includes(bet.requesting_user_reference)],
  ['requesting_user_ids', `${userOf(3)},999999`, (bet) => bet.requesting_user_id === userOf(3)],
  ['minimum_odds', '1', () => true],
  ['minimum_odds', '1.25', (bet) => bet.requesting_odds >= 1.25],
  ['maximum_odds', '2.5', (bet) => bet.requesting_odds <= 2.5],
  ['minimum_amount', '2.500001', (bet) => bet.requesting_amount >= 2.500001],
  ['minimum_amount', '2.500002', (bet) => bet.requesting_amount >= 2.500002],
  ['maximum_amount', '6.5', (bet) => bet.requesting_amount <= 6.5],
];

const historyRules = (): Rule[] => [
  ...timeRules,
  ...wagerRules,
  ['user_references', 'u3', (bet) => [bet.requesting_user_reference, bet.accepting_user_reference].includes('u3')],
  ['user_ids', `999999,${userOf(1)}`, (bet) => [bet.requesting_user_id, bet.accepting_user_id].includes(userOf(1))],
  ['bet_outcomes', 'win', (bet) => bet.outcome === 'win'],
  ['bet_outcomes', 'undecided,half-loss', (bet) => ['undecided', 'half-loss'].includes(bet.outcome)],
  ['bet_outcomes', 'loss', () => false],
];

const isOpen = (bet: BetRow) => bet.offer_status === 'requesting' && bet.is_active;

const lists = [
  {
    path: '/bets/open-bets',
    sorts: ['requesting_odds', 'requesting_amount', 'created_at'] as const,
    rules: openRules,
    belongs: isOpen,
  },
  {
    path: '/bets/history',
    sorts: ['effective_odds', 'effective_amount', 'created_at'] as const,
    rules: historyRules,
    belongs: () => true,
  },
];

const microsOf = (rows: readonly BetRow[]) =>
  rows.reduce((sum, { requesting_amount }) => sum + BigInt(Math.round(requesting_amount * 1e6)), 0n);

function expectSum(path: string, body: Record<string, unknown>, rows: readonly BetRow[]): void {
  const sum = path === '/bets/open-bets' ? Number(microsOf(rows)) / 1e6 : undefined;
  expect(body.total_requesting_amount).toBe(sum);
}

describe.each(lists)('$path', ({ path, sorts, rules, belongs }) => {
  const ownBets = () => bets.filter((bet) => bet.account_id === idOf(one) && belongs(bet));

  it('has the documented frame and defaults', async () => {
    const body = await list(one, path, {});
    expectPage(body, ownBets().sort(order('created_at', 'asc')), 1, 20);
    expectSum(path, body, ownBets());
    expect(await list(empty, path, {})).toEqual({
      data: [],
      page: 1,
      per_page: 20,
      total: 0,
      from: null,
      to: null,
      last_page: 1,
      ...(path === '/bets/open-bets' ? { total_requesting_amount: 0 } : {}),
    });
    expectPage(await list(one, path, { page: '99' }), ownBets(), 99, 20);
    expectPage(await list(one, path, { page: '1000000000', per_page: '100' }), ownBets(), 1_000_000_000, 100);
  });

  it('sorts in every order, stably, what has no value last', async () => {
    for (const by of sorts) {
      for (const direction of ['asc', 'desc']) {
        const rows = ownBets().sort(order(by, direction));
        for (let page = 1; page <= Math.ceil(rows.length / 50); page += 1) {
          const query = { sort_by: by, sort_direction: direction, per_page: '50', page: String(page) };
          expectPage(await list(one, path, query), rows, page, 50);
        }
      }
    }
  });

  it('filters by each rule alone', async () => {
    for (const [name, value, matches] of rules()) {
      const rows = ownBets().filter(matches).sort(order('created_at', 'asc'));
      const body = await list(one, path, { [name]: value, per_page: '100' });
      expectPage(body, rows, 1, 100);
      expectSum(path, body, rows);
    }
  });

  it('combines filters, orders and pages', async () => {
    const choose = chooser(7);
    for (let round = 0; round < 150; round += 1) {
      const chosen = [choose(rules()), choose(rules()), choose(rules())].filter(() => choose([true, true, false]));
      const last = new Map(chosen.map((rule) => [rule[0], rule]));
      const [by, direction, page] = [choose(sorts), choose(['asc', 'desc']), choose([1, 2, 3])];
      const account = choose([one, other]);
      const rows = bets
        .filter((bet) => bet.account_id === idOf(account) && belongs(bet))
        .filter((bet) => [...last.values()].every(([name, , matches]) => matches(bet) || isMerged(name, last, bet)))
        .sort(order(by, direction));
      const query = Object.fromEntries([...last.values()].map(([name, value]) => [name, value]));
      const paging = { sort_by: by, sort_direction: direction, page: String(page), per_page: '7' };
      const body = await list(account, path, { ...query, ...paging });
      expectPage(body, rows, page, 7);
      expectSum(path, body, rows);
    }
  });

  it('shows an account its own bets, an admin those that it names', async () => {
    const visible = async (caller: LoggedIn, query: Query, accounts: LoggedIn[]) => {
      for (const by of sorts) {
        const rows = bets
          .filter((bet) => accounts.some((account) => idOf(account) === bet.account_id) && belongs(bet))
          .sort(order(by, 'desc'));
        const body = await list(caller, path, { ...query, sort_by: by, sort_direction: 'desc', page: '2' });
        expectPage(body, rows, 2, 20);
        expectSum(path, body, rows);
      }
    };
    await visible(other, { account_ids: String(idOf(one)) }, []);
    await visible(other, { account_ids: `${idOf(one)},${idOf(other)}` }, [other]);
    await visible(other, { account_ids: ',' }, [other]);
    await visible(admin, {}, [admin]);
    await visible(admin, { account_ids: String(idOf(one)) }, [one]);
    await visible(admin, { account_ids: `${idOf(one)},${idOf(other)},${idOf(empty)},999999` }, [one, other]);
    for (const caller of [admin, one]) await visible(caller, { account_ids: `${idOf(one)},0${idOf(one)}` }, [one]);
    const foreign = bets.find((bet) => bet.account_id === idOf(one))?.requesting_user_id;
    const users = path === '/bets/open-bets' ? 'requesting_user_ids' : 'user_ids';
    await visible(other, { [users]: String(foreign) }, []);
  });

  it.each([
    ['page=0', 'page must not be less than 1'],
    ['per_page=101', 'per_page must not be greater than 100'],
    ['per_page=x', 'per_page must be an integer number'],
    ['sort_by=id', 'sort_by must be one of the following values:'],
    ['sort_direction=up', 'sort_direction must be one of the following values: asc, desc'],
    ['account_ids=1,x', 'account_ids[1] must be an integer number'],
    ['created_after=yesterday', 'created_after must be a timestamp or an ISO 8601 date'],
    ['created_after=0000-01-01', 'created_after must be a timestamp or an ISO 8601 date'],
    ['created_before=2026-02-30', 'created_before must be a timestamp or an ISO 8601 date'],
  ])('refuses %s', async (query, fault) => {
    const { status, body } = await one.client.get(`${path}?${query}`);
    expect([status, body.error, body.statusCode]).toEqual([400, 'Bad Request', 400]);
    expect(body.message).toEqual([expect.stringContaining(fault)]);
  });
});

/** The two ways of naming users widen each other. */
function isMerged(name: string, rules: ReadonlyMap<string, Rule>, bet: BetRow): boolean {
  const pairs = [
    ['user_ids', 'user_references'],
    ['requesting_user_ids', 'requesting_user_references'],
  ];
  const pair = pairs.find((names) => names.includes(name));
  return pair?.some((partner) => rules.get(partner)?.[2](bet)) ?? false;
}

it('lists all faults of a query at once', async () => {
  const query = 'minimum_odds=0.5&maximum_odds=x&minimum_amount=-1&maximum_amount=1.0000001&requesting_user_ids=0';
  const { status, body } = await one.client.get(`/bets/open-bets?${query}`);
  expect(status).toBe(400);
  expect(body.message.sort()).toEqual([
    'maximum_amount must not have more than 6 decimal places',
    'maximum_odds must be a number',
    'minimum_amount must not be less than 0',
    'minimum_odds must not be less than 1',
    'requesting_user_ids[0] must not be less than 1',
  ]);
  const history = await one.client.get('/bets/history?bet_outcomes=win,draw&include_bet_trails=maybe');
  expect(history.body.message.sort()).toEqual([
    expect.stringContaining('bet_outcomes[1] must be one of the following values: undecided, win,'),
    'include_bet_trails must be a boolean value',
  ]);
});
