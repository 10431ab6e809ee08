import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '../../testing/client.js';
import { insertBets, insertTransactions } from '../../testing/list-rows.js';
import { withTestApi } from '../../testing/with-test-api.js';
import { createLedgerClient, type LedgerClient, LedgerError } from './client.js';

const api = withTestApi();
let business: LoggedIn;
let ledger: LedgerClient;

beforeAll(async () => {
  business = await registerAndLogIn(api.client);
  ledger = createLedgerClient({ baseUrl: api.client.baseUrl, token: business.token });
  const [{ id } = { id: 0 }] = await api.database.query('SELECT id::int FROM accounts');
  await insertBets(api.database, Number(id), 230);
  await insertTransactions(api.database, Number(id), 120);
  await api.database.query('INSERT INTO balances (account_id, user_id) SELECT account_id, id FROM users');
  await api.database.query(`INSERT INTO positions (account_id, user_id, wager_id)
    SELECT DISTINCT account_id, requesting_user_id, wager_id FROM bets`);
});

async function all<Item>(walk: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of walk) items.push(item);
  return items;
}

describe('a walk', () => {
  it('yields every item of the list, in its order', async () => {
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map((page) => ledger.get('/bets/history', { params: { query: { page, per_page: 100 } } })),
    );
    const ids = [first, second, third].flatMap((page) => page?.data.map(({ id }) => id) ?? []);
    const bets = await all(ledger.bets.history());
    expect(bets.map(({ id }) => id)).toEqual(ids);
    expect(ids).toHaveLength(231);
  });

  it('takes the filters, the sort and the page size of the list', async () => {
    const filters = { requesting_user_references: ['u1', 'u2'], sort_direction: 'desc' as const };
    const { data } = await ledger.get('/bets/open-bets', { params: { query: { ...filters, per_page: 100 } } });
    const walked = await all(ledger.bets.open({ ...filters, per_page: 3 }));
    expect(walked).toEqual(data);
    expect(data.length).toBeGreaterThan(6);
  });

  it('begins at a cursor', async () => {
    const { data, next } = await ledger.get('/transactions', { params: { query: { per_page: 50 } } });
    const rest = await all(ledger.transactions.list({ cursor: next ?? '' }));
    expect(rest).toHaveLength(70);
    expect(rest[0]?.id).not.toBe(data[0]?.id);
  });

  it('reads no page that is not asked for', async () => {
    let requests = 0;
    const counting = createLedgerClient({
      baseUrl: api.client.baseUrl,
      token: business.token,
      fetch: (request) => {
        requests += 1;
        return fetch(request);
      },
    });
    for await (const user of counting.users.list({ per_page: 2 })) {
      expect(user.name).toBe('U');
      break;
    }
    expect(requests).toBe(1);
  });

  it('of every other list ends', async () => {
    const [user] = await all(ledger.users.list({ search: 'u3' }));
    expect(await all(ledger.users.positions({ userId: user?.id ?? 0 }))).toEqual([]);
    expect((await all(ledger.wagers.list())).length).toBe(6);
    expect((await all(ledger.sessions.list())).length).toBe(1);
    expect(await all(ledger.apiKeys.list())).toEqual([]);
    expect((await all(ledger.accountEvents.list())).length).toBeGreaterThan(0);
  });

  it('throws the refusals of the service', async () => {
    await expect(all(ledger.accounts.list())).rejects.toThrow(LedgerError);
    // @ts-expect-error A walk has no page numbers.
    await expect(all(ledger.wagers.list({ page: 2 }))).rejects.toThrow('page must not be given together with cursor');
  });
});
