import { beforeAll, describe, expect, it } from '@jest/globals';
import { accountOfUser, ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

interface Day {
  readonly audit: unknown;
  readonly next?: string | null;
}

const api = withTestApi();
const business = withBusiness(api);
let annId: number;

beforeAll(async () => {
  annId = await business.user('ann', 1000);
  for (const name of ['bob', 'cat', 'dan']) await business.user(name, 1000);
  await business.match('ann', 'bob', 100, 2.5);
  await business.decide('win');
  ok(await business.client.post('/transactions/withdraw', { user_reference: 'ann', amount: 50 }));
  ok(await business.make('cat', 30, 2, { wager_reference: 'later' }));
});

const get = (query: Record<string, string>, client = business.client) =>
  client.get(`/reconciliation?${new URLSearchParams(query)}`);
const dayOf = async (query: Record<string, string>): Promise<Day> => ok(await get(query), 200) as unknown as Day;
/** The day of the database's rows: a test that runs over midnight reads the day on which it began. */
const firstDay = async () =>
  String(
    (await api.database.query(`SELECT (min(created_at) AT TIME ZONE 'UTC')::date::text AS day FROM transactions`))[0]
      ?.day,
  );

const verdict = { verdict: 'balanced', audited_at: '2025-03-02T00:00:00.000Z', failed_checks: 0, audited_by: 'night' };

describe('a reconciliation', () => {
  it('has the figures of the day', async () => {
    const date = await firstDay();
    const [ids] = await api.database.query(
      'SELECT min(id)::float8 AS first, max(id)::float8 AS last FROM transactions',
    );
    expect(await dayOf({ date })).toEqual({
      date,
      opening_balance: 0,
      closing_balance: 3950,
      funded: 4000,
      withdrawn: 50,
      bet_credits: 150,
      bet_debits: 150,
      transactions: 7,
      first_transaction_id: ids?.first,
      last_transaction_id: ids?.last,
      open_exposure: 30,
      audit: null,
      last_audit: null,
    });
  });

  it('has the users of the day when they are asked for, page by page', async () => {
    const date = await firstDay();
    const users = [];
    for await (const user of business.ledger.reconciliation.users({ date, limit: 3 })) users.push(user);
    expect(users.map(({ user_reference }) => user_reference)).toEqual(['ann', 'bob', 'cat', 'dan']);
    expect(users[0]).toEqual({
      user_id: annId,
      user_reference: 'ann',
      opening_balance: 0,
      closing_balance: 1100,
      funded: 1000,
      withdrawn: 50,
      bet_credits: 150,
      bet_debits: 0,
      bet_net: 150,
      transactions: 3,
    });
    expect(await dayOf({ date, include: 'users', limit: '3' })).toMatchObject({ next: expect.any(String) });
  });

  it('of a past day has the verdict of its audit, and the newest one', async () => {
    const account = await accountOfUser(api.database, annId);
    await api.database.query(
      `INSERT INTO daily_reconciliations (account_id, day, audited_at, failed_checks, opening_balance, closing_balance, funded,
                                          withdrawn, bet_credits, bet_debits, transactions, open_exposure)
       VALUES ($1, '2025-03-01', '2025-03-02', 0, 0, 0, 0, 0, 0, 0, 0, 5000000)`,
      [account],
    );
    const past = await dayOf({ date: '2025-03-01' });
    expect(past).toMatchObject({ open_exposure: 5, first_transaction_id: null, audit: verdict, last_audit: verdict });
    expect(await dayOf({ date: '2099-01-01' })).toMatchObject({ audit: null, last_audit: verdict });
    await api.database.query('UPDATE daily_reconciliations SET failed_checks = 1');
    expect((await dayOf({ date: '2025-03-01' })).audit).toMatchObject({ verdict: 'differs', failed_checks: 1 });
  });

  it('and a statement round a sum once, also one that is larger than any balance', async () => {
    const { client, user } = await openTestBusiness(api.client);
    await user('ann', 0);
    const move = async (kind: string, amount: number) =>
      ok(await client.post(`/transactions/${kind}`, { user_reference: 'ann', amount })).data.created_at;
    let at = '';
    for (const amount of [...Array(9).fill(1_000_000_000), 999_999_999.999991]) {
      at = await move('fund-user', amount);
      await move('withdraw', amount);
    }
    // The number that is nearest to …999991. By way of a number of micro-units it would be …999992.
    const sum = 9_999_999_999.99999;
    const date = at.slice(0, 10);
    const day = await get({ date }, client);
    expect(day).toMatchObject({ status: 200, body: { funded: sum, withdrawn: sum } });
    const statement = await client.get(`/account/user/ann/statement?from=${date}`);
    expect(statement).toMatchObject({ status: 200, body: { credits: sum, debits: sum } });
  });

  it.each([
    [{}, ['date should not be empty']],
    [{ date: '2026-02-30' }, ['date must be a date of the form 2026-01-15']],
    [{ date: '0000-01-01' }, ['date must be a date of the form 2026-01-15']],
    [
      { date: 'x', include: 'all', limit: '0' },
      ['date must be a date', 'include must be one of', 'limit must not be less than 1'],
    ],
    [{ date: '2026-01-15', cursor: 'x' }, ['cursor must be a cursor', 'cursor must be used with include=users']],
  ])('with %j is refused', async (query, faults) => {
    const { status, body } = await get(query as Record<string, string>);
    expect([status, body.message.length]).toEqual([400, faults.length]);
    for (const fault of faults) expect(String(body.message)).toContain(fault);
  });

  it('refuses a cursor of another day, and is of the own account', async () => {
    const date = await firstDay();
    const { next: cursor } = await dayOf({ date, include: 'users', limit: '1' });
    const foreign = await get({ date: '2026-01-11', include: 'users', cursor: String(cursor) });
    expect(foreign).toMatchObject({ status: 400 });
    const other = await openTestBusiness(api.client);
    const [row] = await api.database.query('SELECT min(account_id)::int AS id FROM balances');
    const query = { date, account_id: String(row?.id) };
    expect(await get({ date }, other.client)).toMatchObject({ body: { transactions: 0 } });
    expect(await get(query, other.client)).toMatchObject({ status: 404 });
    const admin = await registerAdmin(api.client, api.database);
    expect(await get(query, admin.client)).toMatchObject({ body: { transactions: 7 } });
  });
});
