import { beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '#platform/database/database.js';
import { expectBooksToBalance } from '#testing/books.js';
import { auditAt } from '#testing/nightly-audit.js';
import { accountOfUser, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

interface Figures {
  readonly opening_balance: number;
  readonly closing_balance: number;
  readonly funded: number;
  readonly withdrawn: number;
  readonly bet_credits: number;
  readonly bet_debits: number;
  readonly transactions: number;
}

interface Day extends Figures {
  readonly first_transaction_id: number | null;
  readonly last_transaction_id: number | null;
  readonly open_exposure: number | null;
  readonly audit: unknown;
  readonly last_audit: unknown;
  readonly next?: string | null;
}

const DAY_MS = 86_400_000;
const api = withTestApi();
let business: TestBusiness;
let annId: number;

beforeAll(async () => {
  business = await openTestBusiness(api.client);
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
const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);
/** The day of the database's rows: a test that runs over midnight reads the day on which it began. */
const firstDay = async () =>
  String(
    (await api.database.query(`SELECT (min(created_at) AT TIME ZONE 'UTC')::date::text AS day FROM transactions`))[0]
      ?.day,
  );

const SUMS = ['opening_balance', 'closing_balance', 'funded', 'withdrawn', 'bet_credits', 'bet_debits'] as const;

async function usersOf(date: string): Promise<(Figures & { readonly user_reference: string })[]> {
  const users = [];
  for await (const user of business.ledger.reconciliation.users({ date, limit: 3 })) users.push(user);
  return users;
}

/** The figures of all users, and their statements, add up to those of the account. */
async function expectSums(date: string, day: Day): Promise<void> {
  const users = await usersOf(date);
  for (const figure of [...SUMS, 'transactions'] as const) {
    expect([figure, users.reduce((sum, user) => sum + user[figure], 0)]).toEqual([figure, day[figure]]);
  }
  const to = dayAt(Date.parse(date) + DAY_MS);
  for (const { user_reference, ...user } of users) {
    const path = `/account/user/${user_reference}/statement?from=${date}&to=${to}&limit=1000`;
    const statement = ok(await business.client.get(path), 200) as unknown as Day & {
      lines: unknown[];
      credits: number;
    };
    expect(statement).toMatchObject({ opening_balance: user.opening_balance, closing_balance: user.closing_balance });
    expect([statement.credits, statement.lines.length]).toEqual([user.funded + user.bet_credits, user.transactions]);
  }
}

describe('a reconciliation', () => {
  it('of a day that no audit has closed comes from its transactions', async () => {
    const date = await firstDay();
    const day = await dayOf({ date });
    const [ids] = await api.database.query(
      'SELECT min(id)::float8 AS first, max(id)::float8 AS last FROM transactions',
    );
    expect(day).toEqual({
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
    await expectSums(date, day);
  });

  it('of a past day is what the audit of its night has stored, with the verdict', async () => {
    const date = await firstDay();
    const live = await dayOf({ date });
    const database = await connectDatabase({
      url: api.environment.database.url,
      connections: 1,
      onConnectionError: () => undefined,
    });
    const audit = (now: number) => auditAt({ database, logger: api.environment.logger }, new Date(now));
    try {
      const night = Date.parse(date) + DAY_MS + 3 * 3_600_000;
      await audit(night);
      const found = { verdict: 'balanced', failed_checks: 0, audited_by: 'night' };
      const verdict = { ...found, audited_at: expect.any(String) };
      expect(await dayOf({ date })).toEqual({ ...live, audit: verdict, last_audit: verdict });
      await expectSums(date, live);
      await expectBooksToBalance(api.database);
      await audit(night + DAY_MS);
      const next = await dayOf({ date: dayAt(night) });
      expect(next).toMatchObject({ opening_balance: live.closing_balance, closing_balance: 3950, transactions: 0 });
      expect(next).toMatchObject({ first_transaction_id: null, last_transaction_id: null, audit: verdict });
      await api.database.query('UPDATE balances SET balance = balance + 1 WHERE user_id = $1', [annId]);
      await expect(audit(night + 2 * DAY_MS)).rejects.toThrow('the books do not balance');
      const differing = await dayOf({ date: dayAt(night + DAY_MS) });
      expect(differing.audit).toMatchObject({ verdict: 'differs', failed_checks: 1 });
      // The newest verdict comes with any day, a day that still runs among them.
      expect((await dayOf({ date: '2099-01-01' })).last_audit).toEqual(differing.audit);
      await api.database.query('UPDATE balances SET balance = balance - 1 WHERE user_id = $1', [annId]);
      await api.database.query(
        `UPDATE daily_reconciliations SET opening_balance = opening_balance + 7,
        closing_balance = closing_balance + 7 WHERE day = $1`,
        [dayAt(night)],
      );
      await expect(audit(night + 3 * DAY_MS)).rejects.toThrow('the last reconciliation = the closings of its day');
    } finally {
      await database.disconnect();
    }
  });

  it('of a day on which the account rested has the verdict of the audit before it', async () => {
    const other = await openTestBusiness(api.client);
    const id = await other.user('fay', 0);
    const account = await accountOfUser(api.database, id);
    const pay = (at: string) =>
      api.database.query(`
        INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
                                  balance_after, created_at)
        VALUES (${account}, ${id}, 1, '', 'credit', 'funding', 1, '${at}')`);
    const restsOn = async (date: string) => (await get({ date }, other.client)).body;
    await pay('2025-03-01T12:00Z');
    await api.database.query(`
      INSERT INTO account_closings (account_id, day, closed_at, last_bet_id, last_trail_id, last_transaction_id, bets,
                                    transactions)
      SELECT account_id, '2025-03-01', '2025-03-02', 0, 0, max(id), 0, 1 FROM transactions
       WHERE account_id = ${account} GROUP BY account_id`);
    await api.database.query(`
      INSERT INTO daily_reconciliations (account_id, day, audited_at, failed_checks, opening_balance, closing_balance, funded,
                                         withdrawn, bet_credits, bet_debits, transactions, open_exposure,
                                         first_transaction_id, last_transaction_id)
      SELECT account_id, '2025-03-01', '2025-03-02', 0, 0, 1, 1, 0, 0, 0, 1, 5000000, max(id), max(id) FROM transactions
       WHERE account_id = ${account} GROUP BY account_id`);
    const verdict = { verdict: 'balanced', audited_at: '2025-03-02T00:00:00.000Z' };
    expect(await restsOn('2025-03-09')).toMatchObject({ transactions: 0, open_exposure: 5, audit: verdict });
    expect(await restsOn('2025-02-09')).toMatchObject({ audit: null });
    await pay('2025-04-01T12:00Z');
    expect(await restsOn('2025-03-09')).toMatchObject({ transactions: 0, audit: null });
  });

  it('says what bets brought a user after a correction took a payment back', async () => {
    const admin = await registerAdmin(api.client, api.database);
    const other = await openTestBusiness(api.client);
    const id = await other.user('ann', 1000);
    await other.user('bob', 1000);
    await other.match('ann', 'bob', 100, 2.5);
    await other.decide('win');
    const correction = { account_id: Number(await accountOfUser(api.database, id)), wager_reference: 'match' };
    ok(await admin.client.post('/admin/wagers/force-update-outcome', { ...correction, outcome: 'loss' }), 200);
    await waitFor(async () => (await other.moneyOf('ann')).balance === 900);
    const date = String(
      (await api.database.query(`SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`))[0]?.day,
    );
    const { body } = await get({ date, include: 'users' }, other.client);
    expect(body).toMatchObject({ bet_credits: 400, bet_debits: 400 });
    expect(body.users).toMatchObject([
      { user_reference: 'ann', bet_credits: 150, bet_debits: 250, bet_net: -100, closing_balance: 900 },
      { user_reference: 'bob', bet_credits: 250, bet_debits: 150, bet_net: 100, closing_balance: 1100 },
    ]);
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

  it('gives each transaction to one day, even where times are out of order around midnight', async () => {
    const id = await business.user('eve', 0);
    const account = await accountOfUser(api.database, id);
    for (const [index, minutes] of [-90, -2, 1, -1, 2, 1445, 1439].entries()) {
      await api.database.query(`
        INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
                                  balance_after, created_at)
        VALUES (${account}, ${id}, 1000000, '', 'credit', 'funding', ${1_000_000 * (index + 1)},
                timestamptz '2026-01-10Z' + interval '${minutes} minutes')`);
    }
    await api.database.query(`UPDATE balances SET balance = 7000000 WHERE user_id = ${id}`);
    const days = ['2026-01-08', '2026-01-09', '2026-01-10', '2026-01-11', '2026-01-12'];
    const found = [];
    for (const date of days) {
      const day = await dayOf({ date });
      await expectSums(date, day);
      found.push([day.opening_balance, day.transactions, day.closing_balance, day.open_exposure]);
    }
    expect(found).toEqual([
      [0, 0, 0, 0],
      [0, 2, 2, null],
      [2, 3, 5, null],
      [5, 2, 7, null],
      [7, 0, 7, null],
    ]);
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
    const { next: cursor } = await dayOf({ date: '2026-01-10', include: 'users', limit: '1' });
    const foreign = await get({ date: '2026-01-11', include: 'users', cursor: String(cursor) });
    expect(foreign).toMatchObject({ status: 400 });
    const other = await openTestBusiness(api.client);
    const [row] = await api.database.query('SELECT min(account_id)::int AS id FROM balances');
    const query = { date: '2026-01-10', account_id: String(row?.id) };
    expect(await get({ date: '2026-01-10' }, other.client)).toMatchObject({ body: { transactions: 0 } });
    expect(await get(query, other.client)).toMatchObject({ status: 404 });
    const admin = await registerAdmin(api.client, api.database);
    expect(await get(query, admin.client)).toMatchObject({ body: { transactions: 3 } });
  });
});
