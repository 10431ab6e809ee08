import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, TestClient } from '#testing/client.js';
import { insertBets, insertTransactions } from '#testing/list-rows.js';
import { ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let client: TestClient;
let admin: TestClient;
let adminId: number;
let businessId: number;
let userId: number;

beforeAll(async () => {
  const registered = await registerAdmin(api.client, api.database);
  ({ client: admin, id: adminId } = registered);
  const business = await openTestBusiness(api.client);
  client = business.client;
  businessId = ok(await client.get('/auth/account/me'), 200).data.id;
  for (const id of [businessId, adminId]) {
    await insertBets(api.database, id, 130);
    await insertTransactions(api.database, id, 60);
  }
  await api.database.query(`INSERT INTO balances (account_id, user_id, balance, exposure)
    SELECT account_id, id, id % 3 * 1000000, id % 2 * 500000 FROM users ON CONFLICT DO NOTHING`);
  for (const name of ['one', 'two', 'three']) ok(await client.post('/auth/account/api-keys', { name }));
  userId = await business.user('many');
  await api.database.query(
    `INSERT INTO positions (account_id, user_id, wager_id, offered) SELECT account_id, $1, id, 1 FROM wagers WHERE account_id = $2`,
    [userId, businessId],
  );
});

interface Page {
  readonly data: readonly { readonly id?: number; readonly wager_id?: number }[];
  readonly next?: string | null;
  readonly previous?: string | null;
  readonly total?: number;
  readonly last_page?: number;
}

/** The list of users has its page in `data`. */
const pageIn = ({ body }: Answer): Page =>
  body.data?.items === undefined ? body : { ...body.data, data: body.data.items, last_page: body.data.total_pages };
const idsIn = ({ data }: Page) => data.map(({ id, wager_id }) => id ?? wager_id);

async function read(caller: TestClient, path: string, query: string): Promise<Page> {
  const answer = await caller.get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
  ok(answer, 200);
  return pageIn(answer);
}

const PER_PAGE = 7;

async function numberedPages(caller: TestClient, path: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let page = 1; page <= (pages[0]?.last_page ?? 1); page += 1) {
    pages.push(await read(caller, path, `per_page=${PER_PAGE}&page=${page}`));
  }
  return pages;
}

async function walk(caller: TestClient, path: string, from: Page, link: 'next' | 'previous'): Promise<Page[]> {
  const pages = [from];
  for (let cursor = from[link]; cursor != null; cursor = pages.at(-1)?.[link]) {
    pages.push(await read(caller, path, `per_page=${PER_PAGE}&cursor=${cursor}`));
  }
  return pages;
}

const directions = ['asc', 'desc'];
const sorted = (path: string, field: string, sorts: readonly string[], more = '') =>
  sorts.flatMap((by) => directions.map((direction) => `${path}?sort_by=${by}&${field}=${direction}${more}`));

const ownLists = () => [
  ...sorted('/bets/open-bets', 'sort_direction', ['requesting_odds', 'requesting_amount', 'created_at']),
  ...sorted('/bets/history', 'sort_direction', ['effective_odds', 'effective_amount', 'created_at']),
  ...sorted('/bets/history', 'sort_direction', ['effective_odds', 'created_at'], '&user_references=u1,u2,u3'),
  ...sorted('/account/user', 'sort_order', ['id', 'name', 'reference', 'created_at', 'balance', 'exposure']),
  ...sorted('/account/user', 'sort_order', ['name', 'balance'], '&search=u'),
  ...sorted('/wagers', 'sort_direction', ['created_at', 'id']),
  '/bets/history?bet_outcomes=win,void',
  '/transactions',
  '/transactions?user_references=u1,u2&transaction_type=credit',
  '/account-events?sort_direction=desc',
  '/auth/account/api-keys',
  '/auth/account/sessions',
  `/account/user/${userId}/positions`,
];

const adminLists = () => [
  '/admin/accounts',
  '/admin/accounts?sort_direction=desc',
  `/bets/history?account_ids=${adminId},${businessId}&sort_by=effective_amount&sort_direction=desc`,
  `/bets/open-bets?account_ids=${adminId},${businessId}`,
];

describe('pages by cursor', () => {
  it('are the pages by number, forwards and backwards, of every list in every order', async () => {
    for (const [caller, paths] of [
      [client, ownLists()],
      [admin, adminLists()],
    ] as const) {
      for (const path of paths) {
        const numbered = await numberedPages(caller, path);
        const wanted = numbered.map(idsIn);
        const forwards = await walk(caller, path, await read(caller, path, `per_page=${PER_PAGE}`), 'next');
        expect([path, forwards.map(idsIn)]).toEqual([path, wanted]);
        const last = forwards.at(-1) as Page;
        const backwards = await walk(caller, path, last, 'previous');
        expect([path, backwards.map(idsIn).reverse()]).toEqual([path, wanted]);
        if (wanted.length > 1) expect(backwards.at(-1)?.next).toBe(forwards[0]?.next);
      }
    }
  });

  it('begin with an empty cursor, and have totals on request only', async () => {
    const plain = await read(client, '/bets/open-bets', 'per_page=5');
    const first = await read(client, '/bets/open-bets', 'per_page=5&cursor=');
    expect(first).toEqual({ data: plain.data, per_page: 5, next: plain.next, previous: null });
    const counted = await read(client, '/bets/open-bets', `per_page=5&include_totals=true&cursor=${first.next}`);
    const { total, last_page, total_requesting_amount } = plain as Page & { total_requesting_amount: number };
    expect(counted).toMatchObject({ total, last_page, total_requesting_amount });
    expect(counted).not.toHaveProperty('page');
    const users = (await client.get('/account/user?cursor=&per_page=2&include_totals=true')).body.data;
    expect(Object.keys(users).sort()).toEqual(['items', 'next', 'per_page', 'previous', 'total', 'total_pages']);
  });

  it('name no cursors when they were asked for by number', async () => {
    const numbered = await read(client, '/bets/history', 'page=1&per_page=5');
    expect(Object.keys(numbered).sort()).toEqual(['data', 'from', 'last_page', 'page', 'per_page', 'to', 'total']);
  });

  it('lead back from a page whose rows have gone', async () => {
    const path = '/bets/open-bets?wager_references=w3&sort_by=requesting_odds';
    const pages = await walk(client, path, await read(client, path, `per_page=${PER_PAGE}`), 'next');
    const { next } = pages.at(-2) as Page;
    const gone = idsIn(pages.at(-1) as Page);
    await api.database.query('UPDATE bets SET is_active = false WHERE id = ANY($1)', [gone]);
    const empty = await read(client, path, `per_page=${PER_PAGE}&cursor=${next}`);
    expect(empty).toMatchObject({ data: [], next: null, previous: expect.any(String) });
    const back = await read(client, path, `per_page=${PER_PAGE}&cursor=${empty.previous}`);
    expect(idsIn(back)).toEqual(idsIn(pages.at(-2) as Page));
    await api.database.query('UPDATE bets SET is_active = true WHERE id = ANY($1)', [gone]);
  });
});

const ANOTHER = 'cursor must be used with the account, filters and sort of the list that answered it';
const MALFORMED = 'cursor must be a cursor that a list has answered';

describe('a cursor is refused', () => {
  const cursorOf = async (path: string) => (await read(client, path, 'per_page=3')).next;
  const faultsOf = async (path: string, caller = client) => {
    const { status, body } = await caller.get(path);
    expect([status, body.error]).toEqual([400, 'Bad Request']);
    return body.message;
  };

  it('by another list, filter, sort, account or user', async () => {
    const cursor = await cursorOf('/bets/history?user_references=u1,u2');
    for (const path of [
      '/bets/history?',
      '/bets/history?user_references=u1',
      '/bets/history?user_references=u1,u2&created_after=2026-03-01',
      '/bets/history?user_references=u1,u2&sort_direction=desc',
      '/bets/open-bets?',
      '/account/user?',
    ]) {
      expect(await faultsOf(`${path}&cursor=${cursor}`)).toEqual([ANOTHER]);
    }
    expect(await faultsOf(`/bets/history?user_references=u1,u2&cursor=${cursor}`, admin)).toEqual([ANOTHER]);
    const positions = await cursorOf(`/account/user/${userId}/positions`);
    const [other] = idsIn(await read(client, '/account/user?search=u1', ''));
    expect(await faultsOf(`/account/user/${other}/positions?cursor=${positions}`)).toEqual([ANOTHER]);
    ok(await client.get(`/bets/history?user_references=u2,u1&per_page=50&cursor=${cursor}`), 200);
  });

  it('when it is malformed, with all faults of the query at once', async () => {
    expect(await faultsOf('/wagers?cursor=abc&page=1&per_page=0')).toEqual([
      'per_page must not be less than 1',
      MALFORMED,
      'page must not be given together with cursor',
    ]);
    expect(await faultsOf('/account/user?cursor=&page=1')).toEqual(['page must not be given together with cursor']);
  });

  it('when its caller has made it with a key of another type', async () => {
    const cursor = (await cursorOf('/bets/open-bets')) ?? '';
    const [version, hash, ...place] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const forged of [
      ['safter', 'i5', place[2]],
      ['safter', 's2026', place[2]],
      ['sabove', place[1], place[2]],
      ['safter', place[1], 'sx'],
      ['safter', place[1]],
      [...place, null],
    ]) {
      const text = Buffer.from(JSON.stringify([version, hash, ...forged])).toString('base64url');
      expect([forged, await faultsOf(`/bets/open-bets?cursor=${text}`)]).toEqual([forged, [MALFORMED]]);
    }
  });
});
