import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { chooser, insertBets, insertTransactions } from '#testing/list-rows.js';
import { withTestApi } from '#testing/with-test-api.js';

interface TransactionRow {
  readonly id: number;
  readonly account_id: number;
  readonly user_id: number;
  readonly user_reference: string;
  readonly transaction_type: string;
  readonly transaction_source: string;
  readonly created_at: number;
}

const api = withTestApi();
let one: LoggedIn;
let other: LoggedIn;
let rows: TransactionRow[];

/** Enough rows that the API reads pages in the back half from the other end. */
const MANY = 12_345;
const FEW = 140;

beforeAll(async () => {
  one = await registerAndLogIn(api.client);
  other = await registerAndLogIn(api.client);
  for (const [accountId, count] of [
    [1, FEW],
    [2, MANY],
  ] as const) {
    await insertBets(api.database, accountId, 1);
    await insertTransactions(api.database, accountId, count);
  }
  const stored = await api.database.query(
    `SELECT t.id::float8, t.account_id::float8, t.user_id::float8, u.reference AS user_reference, transaction_type,
            transaction_source, (extract(epoch FROM t.created_at) * 1000)::float8 AS created_at
       FROM transactions t JOIN users u ON u.account_id = t.account_id AND u.id = t.user_id
      ORDER BY t.created_at, t.id`,
  );
  rows = stored as unknown as TransactionRow[];
});

type Rule = readonly [name: string, value: string, matches: (row: TransactionRow) => boolean];

const rules = (): Rule[] => [
  ['user_references', 'u1,u2', ({ user_reference }) => ['u1', 'u2'].includes(user_reference)],
  ['user_ids', `${rows[0]?.user_id},999999`, ({ user_id }) => user_id === rows[0]?.user_id],
  ['transaction_type', 'credit', ({ transaction_type }) => transaction_type === 'credit'],
  ['transaction_type', 'no-action', ({ transaction_type }) => transaction_type === 'no-action'],
  ['transaction_source', 'withdrawal', ({ transaction_source }) => transaction_source === 'withdrawal'],
  ['transaction_source', 'bet', ({ transaction_source }) => transaction_source === 'bet'],
  ['start_date', '2026-03-04', ({ created_at }) => created_at >= Date.parse('2026-03-04')],
  ['start_date', '2026-03-04T18:00:00Z', ({ created_at }) => created_at >= Date.parse('2026-03-04T18:00Z')],
  ['end_date', '2026-03-08', ({ created_at }) => created_at < Date.parse('2026-03-09')],
  ['end_date', '1772949600', ({ created_at }) => created_at <= 1_772_949_600_000],
];

async function expectList(
  account: LoggedIn,
  query: Record<string, string>,
  expected: readonly TransactionRow[],
): Promise<void> {
  const { status, body } = await account.client.get(`/transactions?${new URLSearchParams(query)}`);
  const [page, perPage] = [Number(query.page ?? 1), Number(query.per_page ?? 20)];
  const shown = expected.slice((page - 1) * perPage, page * perPage);
  expect(status).toBe(200);
  expect(body.data.map(({ id }: TransactionRow) => id)).toEqual(shown.map(({ id }) => id));
  const { next, ...frame } = body;
  const isFollowed = query.page === undefined && expected.length > perPage;
  expect(next).toEqual(isFollowed ? expect.any(String) : undefined);
  expect({ ...frame, data: [] }).toEqual({
    data: [],
    page,
    per_page: perPage,
    total: expected.length,
    last_page: Math.max(1, Math.ceil(expected.length / perPage)),
    from: shown.length === 0 ? null : (page - 1) * perPage + 1,
    to: shown.length === 0 ? null : (page - 1) * perPage + shown.length,
  });
}

const ofAccount = (accountId: number) => rows.filter((row) => row.account_id === accountId);

describe('the transaction list', () => {
  it('shows what is there, the oldest first', async () => {
    await expectList(one, {}, ofAccount(1));
    await expectList(one, { page: '7' }, ofAccount(1));
    await expectList(one, { page: '8' }, ofAccount(1));
  });

  it('filters by each rule alone, and by several', async () => {
    const choose = chooser(3);
    for (const [name, value, matches] of rules())
      await expectList(one, { [name]: value }, ofAccount(1).filter(matches));
    for (let round = 0; round < 60; round += 1) {
      const chosen = new Map([choose(rules()), choose(rules())].map((rule) => [rule[0], rule]));
      const users = [...chosen.values()].filter(([name]) => name.startsWith('user_'));
      const rest = [...chosen.values()].filter(([name]) => !name.startsWith('user_'));
      // Users named by id and users named by reference are merged.
      const expected = ofAccount(1)
        .filter((row) => users.length === 0 || users.some(([, , matches]) => matches(row)))
        .filter((row) => rest.every(([, , matches]) => matches(row)));
      const query = Object.fromEntries([...chosen.values()].map(([name, value]) => [name, value]));
      await expectList(one, { ...query, page: choose(['1', '2']), per_page: '9' }, expected);
    }
  });

  it.each(['1', '2', '51', '52', '60', '62', '63', '70', '123', '124', '125'])('pages: %s', async (page) => {
    await expectList(other, { page, per_page: '100' }, ofAccount(2));
  });

  it('pages deep into a filtered list', async () => {
    const credits = ofAccount(2).filter(({ transaction_type }) => transaction_type === 'credit');
    for (const page of ['41', '42'])
      await expectList(other, { page, per_page: '100', transaction_type: 'credit' }, credits);
    const known = ofAccount(2).filter(({ transaction_source }) => transaction_source === 'funding');
    for (const page of ['51', '82', '83', '84']) {
      await expectList(other, { page, per_page: '100', transaction_source: 'funding' }, known);
    }
  });

  it('matches accounts apart', async () => {
    await expectList(other, { user_ids: String(ofAccount(1)[0]?.user_id) }, []);
    await expectList(other, { account_ids: '1', per_page: '1' }, ofAccount(2));
  });

  it('lists all faults at once', async () => {
    const query = 'transaction_type=win&transaction_source=gift&start_date=x&end_date=2026-13-01&user_ids=a&per_page=0';
    const { status, body } = await one.client.get(`/transactions?${query}`);
    expect([status, body.error]).toEqual([400, 'Bad Request']);
    expect(body.message.sort()).toEqual([
      'end_date must be a timestamp or an ISO 8601 date',
      'per_page must not be less than 1',
      'start_date must be a timestamp or an ISO 8601 date',
      'transaction_source must be one of the following values: funding, bet, withdrawal, correction',
      'transaction_type must be one of the following values: credit, debit, no-action',
      'user_ids[0] must be an integer number',
    ]);
  });
});
