import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { withTestApi } from '#testing/with-test-api.js';

interface Item {
  readonly id: number;
  readonly reference: string;
  readonly name: string;
  readonly meta: Record<string, string> | null;
  readonly balance: number;
  readonly exposure: number;
  readonly created_at: string;
}

const api = withTestApi();
let many: LoggedIn;
let few: LoggedIn;

/** Enough rows that the API reads pages in the back half from the other end. */
const MANY = 12_345;

beforeAll(async () => {
  many = await registerAndLogIn(api.client);
  few = await registerAndLogIn(api.client);
  const { id } = (await many.client.get('/auth/account/me')).body.data;
  // Few different values, so that every order has many ties.
  await api.database.query(
    `INSERT INTO users (account_id, reference, name, created_at)
     SELECT $1, 'r' || i, 'Name ' || (i * 7919) % 100, timestamptz '2026-01-01' + (i % 50) * interval '1 s'
       FROM generate_series(1, $2::int) i`,
    [id, MANY],
  );
  await api.database.query(
    `INSERT INTO balances (account_id, user_id, balance, exposure)
     SELECT account_id, id, (id * 31) % 40 * 1000000, (id * 17) % 30 * 500000 FROM users WHERE account_id = $1`,
    [id],
  );
  const users = [
    { name: 'Ann Smith', reference: 'ann', meta: { level: 'gold', country: 'se' } },
    { name: 'Bob 100%', reference: 'bob_1', meta: { level: 'gold', country: 'no' } },
    { name: 'Zoë SMITHSON', reference: 'zoe', meta: { level: 'Gold', note: '' } },
    { name: 'Dan', reference: 'smithy-ref' },
  ];
  for (const user of users) expect((await few.client.post('/account/user', user)).status).toBe(201);
});

async function list(account: LoggedIn, query: string) {
  const answer = await account.client.get(`/account/user?${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data as { items: Item[]; page: number; per_page: number; total: number; total_pages: number };
}

describe('the user list', () => {
  it('has the documented frame and defaults', async () => {
    const answer = await few.client.get('/account/user');
    expect(answer.body).toEqual({
      data: { items: expect.any(Array), page: 1, per_page: 20, total: 4, total_pages: 1 },
      message: expect.any(String),
    });
    expect(answer.body.data.items.map(({ reference }: Item) => reference)).toEqual([
      'smithy-ref',
      'zoe',
      'bob_1',
      'ann',
    ]);
    expect(Object.keys(answer.body.data.items[0]).sort()).toEqual([
      'account_id',
      'balance',
      'balance_state',
      'created_at',
      'exposure',
      'id',
      'meta',
      'name',
      'preferences',
      'reference',
      'role',
    ]);
  });

  it('is empty and whole past its end', async () => {
    expect(await list(few, 'page=9')).toMatchObject({ items: [], page: 9, total: 4, total_pages: 1 });
    expect(await list(many, 'page=9999')).toMatchObject({ items: [], total: MANY });
  });

  it.each([
    ['SMITH', ['smithy-ref', 'zoe', 'ann']],
    ['zoË', ['zoe']],
    ['100%25', ['bob_1']],
    ['%25', ['bob_1']],
    ['b_1', ['bob_1']],
    ['_', ['bob_1']],
    ['n', ['zoe', 'ann', 'smithy-ref']],
    ['%5C', []],
  ])('searches names and references for %s, literally and without case', async (search, references) => {
    const { items, total } = await list(few, `search=${search}`);
    expect(items.map(({ reference }) => reference).sort()).toEqual([...references].sort());
    expect(total).toBe(references.length);
  });

  it.each([
    ['meta_level=gold', ['bob_1', 'ann']],
    ['meta_level=Gold', ['zoe']],
    ['meta_level=gold&meta_country=se', ['ann']],
    ['meta_level=gold&meta_country=dk', []],
    ['meta_note=', ['zoe']],
    ['meta_nothing=x', []],
    ['meta___proto__=x', []],
    ['search=%0A', []],
    ['search=%20', ['zoe', 'bob_1', 'ann']],
    ['meta_level=gold&search=smith', ['ann']],
  ])('filters by %s', async (query, references) => {
    const { items, total } = await list(few, query);
    expect(items.map(({ reference }) => reference)).toEqual(references);
    expect(total).toBe(references.length);
  });

  const orders = ['id', 'name', 'reference', 'created_at', 'balance', 'exposure'].flatMap((by) => [
    [by, 'asc'] as const,
    [by, 'desc'] as const,
  ]);

  it.each(orders)('sorts by %s %s, stably, from the first page to the last', async (by, order) => {
    const sorted = await api.database.query(
      `SELECT u.id::float8 FROM users u JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id
         JOIN accounts a ON a.id = u.account_id
        WHERE a.email = $1 ORDER BY ${['balance', 'exposure'].includes(by) ? 'b' : 'u'}.${by} ${order}, u.id ${order}`,
      [many.email],
    );
    const ids = sorted.map(({ id }) => id);
    const lastPage = Math.ceil(MANY / 100);
    for (const page of [1, 2, 51, 52, 60, 62, 63, 70, lastPage - 1, lastPage]) {
      const shown = await list(many, `sort_by=${by}&sort_order=${order}&per_page=100&page=${page}`);
      expect(shown.items.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 100, page * 100));
      expect(shown).toMatchObject({ total: MANY, total_pages: lastPage });
    }
  });

  it.each(['search=Name 1', 'search=r77'])('pages through a filtered list: %s', async (filter) => {
    const { total, total_pages } = await list(many, `${filter}&per_page=100`);
    const pages = Array.from({ length: total_pages }, (_, index) => index + 1);
    const seen: number[] = [];
    for (const page of pages) {
      const { items } = await list(many, `${filter}&per_page=100&page=${page}&sort_by=exposure`);
      seen.push(...items.map(({ id }) => id));
    }
    expect(new Set(seen).size).toBe(total);
    expect(seen).toHaveLength(total);
  });

  it('shows money as plain numbers', async () => {
    const { items } = await list(many, 'sort_by=exposure&per_page=1');
    expect(items[0]?.exposure).toBe(14.5);
  });
});
