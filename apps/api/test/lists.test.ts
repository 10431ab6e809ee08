import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestClient } from '#testing/client.js';
import { insertBets, insertTransactions } from '#testing/list-rows.js';
import { ADMIN_ACCOUNT_FIELDS, NEW_WAGER_STATUS, ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// What HTTP adds to the lists: the frame around a page, the parameters of a query, cursors, and who may see what.

const api = withTestApi();
let own: TestClient;
let admin: TestClient;
let stranger: TestClient;
let ownId: number;
let adminId: number;
let userId: number;

beforeAll(async () => {
  ({ client: admin, id: adminId } = await registerAdmin(api.client, api.database));
  const business = await openTestBusiness(api.client);
  own = business.client;
  ownId = ok(await own.get('/auth/account/me'), 200).data.id;
  stranger = (await openTestBusiness(api.client)).client;
  for (const id of [ownId, adminId]) {
    await insertBets(api.database, id, 90);
    await insertTransactions(api.database, id, 60);
  }
  await api.database.query(`
    INSERT INTO balances (account_id, user_id, balance, exposure)
      SELECT account_id, id, id % 3 * 1000000, id % 2 * 500000 FROM users ON CONFLICT DO NOTHING;
    UPDATE users SET meta = '{"level": "gold"}' WHERE reference IN ('u1', 'u2');
    UPDATE wagers SET settling_since = '2026-03-02 00:00:00.5Z' WHERE reference = 'w1' AND account_id = ${ownId}`);
  userId = await business.user('many');
  await api.database.query(
    `INSERT INTO positions (account_id, user_id, wager_id, win, loss, offered)
     SELECT account_id, $1, id, 1500000, -500000, 250000 FROM wagers WHERE account_id = $2`,
    [userId, ownId],
  );
  for (const name of ['one', 'two', 'three']) ok(await own.post('/auth/account/api-keys', { name }));
});

// biome-ignore lint/suspicious/noExplicitAny: the items of many lists
type Item = Record<string, any>;
interface Page {
  readonly data: readonly Item[];
  readonly next?: string | null;
  readonly previous?: string | null;
  readonly total?: number;
}

/** The list of users has its page in `data`. */
async function read(path: string, query: string | Record<string, string> = '', client = own): Promise<Page & Item> {
  const separator = path.includes('?') ? '&' : '?';
  const body = ok(await client.get(`${path}${separator}${new URLSearchParams(query)}`), 200);
  return body.data.items === undefined ? body : { ...body.data, data: body.data.items };
}
const idsIn = ({ data }: Page) => data.map(({ id, wager_id }) => id ?? wager_id);
const faultsOf = async (path: string, client = own) => {
  const { status, body } = await client.get(path);
  expect({ status, ...body }).toMatchObject({ status: 400, error: 'Bad Request', statusCode: 400 });
  return body.message.toSorted();
};

describe('a page by number', () => {
  const frame = { page: 1, per_page: 20, from: 1, to: 20 };

  it('has the documented frame', async () => {
    const { data, ...rest } = await read('/bets/history');
    expect(data).toHaveLength(20);
    expect(rest).toEqual({ ...frame, total: 91, last_page: 5, next: expect.any(String) });
    const { data: _, ...second } = await read('/bets/history', { page: '5' });
    expect(second).toEqual({ ...frame, page: 5, from: 81, to: 91, total: 91, last_page: 5 });
  });

  it('has the documented frame without a row', async () => {
    const nothing = { data: [], page: 1, per_page: 20, total: 0, from: null, to: null, last_page: 1 };
    expect(await read('/bets/history', {}, stranger)).toEqual(nothing);
    expect(await read('/bets/open-bets', {}, stranger)).toEqual({ ...nothing, total_requesting_amount: 0 });
    expect(await read('/bets/history', { page: '99' })).toMatchObject({ page: 99, from: null, last_page: 5 });
  });

  it('of users has a frame of its own', async () => {
    const { status, body } = await own.get('/account/user?sort_by=id&sort_order=asc');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { items: expect.any(Array), page: 1, per_page: 20, total: 7, total_pages: 1 },
      message: expect.any(String),
    });
    expect(Object.keys(body.data.items[0]).sort()).toEqual([
      ...['account_id', 'balance', 'balance_state', 'created_at', 'exposure', 'id', 'meta', 'name'],
      ...['preferences', 'reference', 'role'],
    ]);
  });

  it('of users has the newest first, unless another order is asked for', async () => {
    expect((await read('/account/user')).data[0]?.reference).toBe('many');
  });

  it('of wagers has all their fields', async () => {
    const { data } = await read('/wagers', { reference: 'w1' });
    expect(data).toEqual([
      {
        id: expect.any(Number),
        reference: 'w1',
        outcome: 'win',
        account_id: ownId,
        ...NEW_WAGER_STATUS,
        settling_since: '2026-03-02T00:00:00.500Z',
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('of positions has the exposure of all pages', async () => {
    const body = await read(`/account/user/${userId}/positions`, { per_page: '2' });
    expect(body).toMatchObject({ total: 6, last_page: 3, total_exposure: 4.5 });
    const figures = { win: 1.5, loss: -0.5, offered: 0.25, exposure: 0.75 };
    expect(body.data[0]).toEqual({ wager_id: expect.any(Number), wager_reference: expect.any(String), ...figures });
  });

  it('of accounts tells no secret', async () => {
    const { data, total } = await read('/admin/accounts', {}, admin);
    expect(total).toBe(3);
    for (const account of data) expect(Object.keys(account)).toEqual(ADMIN_ACCOUNT_FIELDS);
  });
});

const NOON = '2026-03-04T18:00:00Z';
const isSince = (item: Item) => item.created_at >= '2026-03-04T18:00:00.000Z';
const isUntil = (item: Item) => item.created_at <= '2026-03-08T23:59:59.999Z';
const outcomeOf = (bet: Item) => bet.override_outcome ?? bet.wager.outcome;

type Filter = readonly [name: string, value: string, matches: (item: Item) => boolean];

const filters: Readonly<Record<string, readonly Filter[]>> = {
  '/bets/open-bets': [
    ['created_after', NOON, isSince],
    ['created_after', String(Date.parse(NOON) / 1_000), isSince],
    ['created_before', '2026-03-08', isUntil],
    ['wager_references', 'w0,w4, w4,nobody', (bet) => ['w0', 'w4'].includes(bet.wager_reference)],
    ['requesting_user_references', 'u1,u2', (bet) => ['u1', 'u2'].includes(bet.requesting_user_reference)],
    ['minimum_odds', '1.25', (bet) => bet.requesting_odds >= 1.25],
    ['maximum_odds', '2.5', (bet) => bet.requesting_odds <= 2.5],
    ['minimum_amount', '2.500001', (bet) => bet.requesting_amount >= 2.500001],
    ['maximum_amount', '6.5', (bet) => bet.requesting_amount <= 6.5],
    ['wager_references', ',', () => true],
  ],
  '/bets/history': [
    ['created_after', NOON, isSince],
    ['created_before', '2026-03-08', isUntil],
    ['wager_references', 'w1', (bet) => bet.wager_reference === 'w1'],
    ['user_references', 'u3', (bet) => [bet.requesting_user_reference, bet.accepting_user_reference].includes('u3')],
    ['bet_outcomes', 'undecided,half-loss', (bet) => ['undecided', 'half-loss'].includes(outcomeOf(bet))],
  ],
  '/transactions': [
    ['start_date', NOON, isSince],
    ['end_date', '2026-03-08', isUntil],
    ['user_references', 'u1,u2', ({ user_reference }) => ['u1', 'u2'].includes(user_reference)],
    ['transaction_type', 'credit', ({ transaction_type }) => transaction_type === 'credit'],
    ['transaction_source', 'bet', ({ transaction_source }) => transaction_source === 'bet'],
  ],
  '/wagers': [
    ['outcome', 'win,void', ({ outcome }) => ['win', 'void'].includes(outcome)],
    ['reference', 'w4, w2,nothing', ({ reference }) => ['w4', 'w2'].includes(reference)],
    ['settling', 'true', ({ settling_since }) => settling_since !== null],
    ['settling', 'false', ({ settling_since }) => settling_since === null],
    ['outcome', ',', () => true],
  ],
  '/account/user': [
    ['search', 'U1', ({ reference }) => reference === 'u1'],
    ['search', '%', () => false],
    ['meta_level', 'gold', ({ reference }) => ['u1', 'u2'].includes(reference)],
    ['meta___proto__', 'x', () => false],
  ],
};

const directions = { asc: 1, desc: -1 } as const;
const sorts: Readonly<Record<string, readonly string[]>> = {
  '/bets/open-bets': ['requesting_odds', 'requesting_amount', 'created_at'],
  '/bets/history': ['effective_odds', 'effective_amount', 'created_at'],
  '/wagers': ['id', 'created_at'],
  '/account/user': ['id', 'reference', 'balance', 'exposure', 'created_at'],
};

/** Ties stand by id; what has no value stands last. */
const inOrder = (by: string, sign: number) => (one: Item, other: Item) => {
  const byPresence = Number(one[by] === null) - Number(other[by] === null);
  const byValue = one[by] === other[by] ? one.id - other.id : one[by] < other[by] ? -1 : 1;
  return byPresence || sign * byValue;
};

describe.each(Object.entries(filters))('%s', (path, given) => {
  it.each(given)('takes the filter %s=%s', async (name, value, matches) => {
    const all = await read(path, { per_page: '100' });
    const found = await read(path, { per_page: '100', [name]: value });
    expect(idsIn(found)).toEqual(idsIn({ data: all.data.filter(matches) }));
    expect(found.total).toBe(found.data.length);
  });

  it('is sorted as it is asked to be', async () => {
    const { data } = await read(path, { per_page: '100' });
    const parameter = path === '/account/user' ? 'sort_order' : 'sort_direction';
    for (const by of sorts[path] ?? []) {
      for (const [direction, sign] of Object.entries(directions)) {
        const ids = idsIn(await read(path, { per_page: '100', sort_by: by, [parameter]: direction }));
        expect({ by, direction, ids }).toEqual({
          by,
          direction,
          ids: idsIn({ data: data.toSorted(inOrder(by, sign)) }),
        });
      }
    }
  });
});

describe('users named by id', () => {
  it.each([
    ['/bets/open-bets', 'requesting_user_ids', 'requesting_user_id'],
    ['/bets/history', 'user_ids', 'requesting_user_id'],
    ['/transactions', 'user_ids', 'user_id'],
  ])('are those of %s', async (path, name, field) => {
    const [first] = (await read(path)).data;
    const byId = await read(path, { [name]: `999999,${first?.[field]}`, per_page: '100' });
    const reference = first?.requesting_user_reference ?? first?.user_reference;
    const byReference = await read(path, { [name.replace('ids', 'references')]: reference, per_page: '100' });
    expect(byId.total).toBeGreaterThan(0);
    expect(idsIn(byId)).toEqual(idsIn(byReference));
    expect((await read(path, { [name]: String(first?.[field]) }, stranger)).data).toEqual([]);
  });
});

describe('account_ids', () => {
  it.each(['/bets/open-bets', '/bets/history', '/wagers'])(
    'shows an admin the accounts that it names: %s',
    async (path) => {
      const ofOwn = await read(path, { per_page: '100' });
      const ofAdmin = await read(path, { per_page: '100' }, admin);
      const accountsIn = ({ data }: Page) => new Set(data.map(({ account_id }) => account_id));
      expect(accountsIn(ofAdmin)).toEqual(new Set([adminId]));
      expect(idsIn(await read(path, { account_ids: `${ownId},0${ownId}`, per_page: '100' }, admin))).toEqual(
        idsIn(ofOwn),
      );
      const both = await read(path, { account_ids: `${ownId},${adminId},999999` }, admin);
      expect(both.total).toBe(Number(ofOwn.total) + Number(ofAdmin.total));
    },
  );

  it.each(['/bets/open-bets', '/bets/history', '/wagers'])('shows a business its own at most: %s', async (path) => {
    const { total } = await read(path);
    expect((await read(path, { account_ids: String(adminId) })).data).toEqual([]);
    expect((await read(path, { account_ids: `${ownId},${adminId}` })).total).toBe(total);
    expect((await read(path, { account_ids: ',' })).total).toBe(total);
  });
});

describe('a query with faults', () => {
  it.each([
    ['/bets/history?per_page=x', 'per_page must be an integer number'],
    ['/bets/history?sort_by=id', 'sort_by must be one of the following values: effective_odds, '],
    ['/bets/history?sort_direction=up', 'sort_direction must be one of the following values: asc, desc'],
    ['/bets/history?account_ids=1,x', 'account_ids[1] must be an integer number'],
    ['/bets/open-bets?created_after=yesterday', 'created_after must be a timestamp or an ISO 8601 date'],
    ['/bets/open-bets?created_before=2026-02-30', 'created_before must be a timestamp or an ISO 8601 date'],
    ['/wagers?outcome=win,draw', 'outcome[1] must be one of the following values: undecided, win,'],
    ['/wagers?settling=1.0', 'settling must be'],
    ['/account/user/x/positions', 'userId must be an integer number'],
  ])('is refused: %s', async (path, fault) => {
    expect(await faultsOf(path)).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    ['sort_by=name', 'sort_by must be one of the following values: effective_odds, effective_amount, created_at'],
    ['email_verified=maybe', 'email_verified must be a boolean value'],
  ])('for accounts is refused: %s', async (query, fault) => {
    expect(await faultsOf(`/admin/accounts?${query}`, admin)).toEqual([fault]);
  });

  it('is refused with all of them', async () => {
    const open = 'minimum_odds=0.5&maximum_odds=x&minimum_amount=-1&maximum_amount=1.0000001&requesting_user_ids=0';
    expect(await faultsOf(`/bets/open-bets?${open}`)).toEqual([
      'maximum_amount must not have more than 6 decimal places',
      'maximum_odds must be a number',
      'minimum_amount must not be less than 0',
      'minimum_odds must not be less than 1',
      'requesting_user_ids[0] must not be less than 1',
    ]);
    const transactions = 'transaction_type=win&transaction_source=gift&start_date=x&end_date=2026-13-01&user_ids=a';
    expect(await faultsOf(`/transactions?${transactions}`)).toEqual([
      'end_date must be a timestamp or an ISO 8601 date',
      'start_date must be a timestamp or an ISO 8601 date',
      'transaction_source must be one of the following values: funding, bet, withdrawal, correction',
      'transaction_type must be one of the following values: credit, debit, no-action',
      'user_ids[0] must be an integer number',
    ]);
    expect(await faultsOf('/bets/history?bet_outcomes=win,draw&include_bet_trails=maybe')).toEqual([
      expect.stringContaining('bet_outcomes[1] must be one of the following values: undecided, win,'),
      'include_bet_trails must be a boolean value',
    ]);
  });
});

describe('accounts', () => {
  it('are searched, filtered and sorted by an admin', async () => {
    const list = async (query: Record<string, string>) => idsIn(await read('/admin/accounts', query, admin));
    const all = await list({});
    for (const sort_by of ['effective_odds', 'effective_amount', 'created_at']) {
      expect(await list({ sort_by, sort_direction: 'desc' })).toEqual(all.toReversed());
    }
    const [{ email } = {}] = (await read('/admin/accounts', {}, admin)).data;
    expect(await list({ search: email.toUpperCase() })).toEqual([adminId]);
    await api.database.query('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [ownId]);
    expect(await list({ email_verified: 'true' })).toEqual([ownId]);
  });
});

const ownLists = () => [
  '/bets/open-bets?sort_by=requesting_odds',
  '/bets/history?sort_by=effective_amount&sort_direction=desc',
  '/account/user?search=u&sort_by=balance&sort_order=desc',
  '/wagers?sort_by=id',
  '/transactions?user_references=u1,u2',
  // Not from its end: reads of admins are noted there.
  '/account-events',
  '/auth/account/api-keys',
  `/account/user/${userId}/positions`,
];
const adminLists = () => ['/admin/accounts?sort_direction=desc', `/bets/history?account_ids=${adminId},${ownId}`];

describe('a page by cursor', () => {
  it('is the page by number, in every list, forwards and backwards', async () => {
    for (const path of [...ownLists(), ...adminLists()]) {
      const caller = ownLists().includes(path) ? own : admin;
      const first = await read(path, 'per_page=1', caller);
      const second = await read(path, `per_page=1&cursor=${first.next}`, caller);
      const numbered = idsIn(await read(path, 'per_page=1&page=2', caller));
      expect({ path, ids: idsIn(second) }).toEqual({ path, ids: numbered });
      const back = await read(path, `per_page=1&cursor=${second.previous}`, caller);
      expect({ path, ids: idsIn(back) }).toEqual({ path, ids: idsIn(first) });
    }
  });

  it('begins with an empty cursor, and has totals on request only', async () => {
    const plain = await read('/bets/open-bets', 'per_page=5');
    const first = await read('/bets/open-bets', 'per_page=5&cursor=');
    expect(first).toEqual({ data: plain.data, per_page: 5, next: plain.next, previous: null });
    const counted = await read('/bets/open-bets', `per_page=5&include_totals=true&cursor=${first.next}`);
    const { total, last_page, total_requesting_amount } = plain;
    expect(counted).toMatchObject({ total, last_page, total_requesting_amount });
    expect(counted).not.toHaveProperty('page');
    const users = (await own.get('/account/user?cursor=&per_page=2&include_totals=true')).body.data;
    expect(Object.keys(users).sort()).toEqual(['items', 'next', 'per_page', 'previous', 'total', 'total_pages']);
  });
});

describe('a cursor is refused', () => {
  const ANOTHER = 'cursor must be used with the account, filters and sort of the list that answered it';
  const MALFORMED = 'cursor must be a cursor that a list has answered';
  const cursorOf = async (path: string) => (await read(path, 'per_page=1')).next ?? '';

  it('by another list, filter, sort, account or user', async () => {
    const path = '/bets/history?user_references=u1,u2';
    const cursor = await cursorOf(path);
    const others = [
      '/bets/history?',
      '/bets/open-bets?',
      '/account/user?',
      `${path}&sort_direction=desc`,
      `${path}&created_after=0`,
    ];
    for (const other of others) expect(await faultsOf(`${other}&cursor=${cursor}`)).toEqual([ANOTHER]);
    expect(await faultsOf(`${path}&cursor=${cursor}`, admin)).toEqual([ANOTHER]);
    const positions = await cursorOf(`/account/user/${userId}/positions`);
    const [other] = idsIn(await read('/account/user?search=u1'));
    expect(await faultsOf(`/account/user/${other}/positions?cursor=${positions}`)).toEqual([ANOTHER]);
    ok(await own.get(`/bets/history?user_references=u2,u1&per_page=50&cursor=${cursor}`), 200);
  });

  it('when it is malformed, with all faults of the query at once', async () => {
    const both = 'page must not be given together with cursor';
    const faults = [MALFORMED, both, 'per_page must not be less than 1'];
    expect(await faultsOf('/wagers?cursor=abc&page=1&per_page=0')).toEqual(faults);
    expect(await faultsOf('/account/user?cursor=&page=1')).toEqual([both]);
  });

  it('when its caller has made it with a key of another type', async () => {
    const cursor = await cursorOf('/bets/open-bets');
    const [version, hash, side, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const forged of [
      [side, 'i5', id],
      ['sabove', key, id],
      [side, key, 'sx'],
      [side, key],
      [side, key, id, null],
    ]) {
      const text = Buffer.from(JSON.stringify([version, hash, ...forged])).toString('base64url');
      const faults = await faultsOf(`/bets/open-bets?cursor=${text}`);
      expect({ forged, faults }).toEqual({ forged, faults: [MALFORMED] });
    }
  });
});
