import { beforeAll, describe, expect, it } from '@jest/globals';
import { referenceOfTransaction } from '#ledger/transaction-reference.js';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { type Admin, createUser, NEW_WAGER_STATUS, ok, registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';

// What HTTP adds to reads of one thing: its fields, its parameters, and who may see it. The rules of the reads themselves have
// their tests in `libs/reads`.

const api = withTestApi();
let owner: LoggedIn;
let stranger: LoggedIn;
let admin: Admin;

const CREATED = '2026-03-01T06:00:00.123Z';
const referenceOf = (id: number) => referenceOfTransaction({ id: BigInt(id), createdAt: new Date(CREATED) });

/** A settled bet with three trail entries, two transactions on the last one; and an open bet with allowed acceptors. */
beforeAll(async () => {
  owner = await registerAndLogIn(api.client);
  stranger = await registerAndLogIn(api.client);
  admin = await registerAdmin(api.client, api.database);
  const run = (sql: string) => api.database.query(sql);
  await run(`INSERT INTO users (account_id, reference, name) VALUES (1, 'ann', 'A'), (1, 'bob', 'B'), (2, 'cem', 'C')`);
  await run('INSERT INTO balances (account_id, user_id) SELECT account_id, id FROM users');
  await run(`INSERT INTO wagers (account_id, reference, outcome, created_at, updated_at)
    VALUES (1, 'match', 'half-win', '${CREATED}', '${CREATED}'), (1, 'next', 'undecided', '${CREATED}', '${CREATED}')`);
  await run(`INSERT INTO bets (account_id, wager_id, queue_place, requesting_user_id, requesting_odds, requesting_amount,
      offer_status, accepting_user_id, effective_odds, effective_amount, settled_outcome, allowed_acceptor_ids,
      created_at)
    VALUES (1, 1, 1, 1, 3000000, 300000000, 'accepted', 2, 3000000, 300000000, 'half-win', '{}', '${CREATED}'),
           (1, 2, 2, 2, 1000001, 1, 'requesting', NULL, NULL, NULL, NULL, '{1}', '${CREATED}')`);
  // Trail entries of both bets alternate, so that the query must sort them out.
  await run(`INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
      requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount, first_transaction_id,
      last_transaction_id, created_at)
    SELECT 1, bet, bet, status, 'step ' || bet, outcome, 3000000, 300000000, e, m, e, m,
           CASE outcome WHEN 'half-win' THEN 1 END, CASE outcome WHEN 'half-win' THEN 2 END, '${CREATED}'
      FROM (VALUES (1, 'requesting', 'undecided', NULL::bigint, NULL::bigint),
                   (2, 'requesting', 'undecided', NULL, NULL),
                   (1, 'accepted', 'undecided', 3000000, 300000000),
                   (1, 'accepted', 'half-win', 3000000, 300000000)) AS s (bet, status, outcome, e, m)`);
  await run(`INSERT INTO transactions (account_id, user_id, amount, description, transaction_type,
      transaction_source, bet_trail_id, balance_after, created_at)
    VALUES (1, 1, 300000000, 'won', 'credit', 'bet', 4, 300000000, '${CREATED}'),
           (1, 2, 300000000, 'lost', 'debit', 'bet', 4, -300000000, '${CREATED}'),
           (1, 2, 8589934591999999, 'much', 'credit', 'funding', NULL, 8589934291999999, '${CREATED}')`);
  await run(COUNT_TOTALS);
});

const settled = {
  id: 1,
  account_id: 1,
  offer_status: 'accepted',
  wager_id: 1,
  wager_reference: 'match',
  requesting_user_id: 1,
  requesting_user_reference: 'ann',
  requesting_odds: 3,
  requesting_amount: 300,
  accepting_user_id: 2,
  accepting_user_reference: 'bob',
  effective_odds: 3,
  effective_amount: 300,
  override_outcome: null,
  is_active: true,
  created_at: CREATED,
  expires_at: null,
  accepted_at: null,
  wager: { id: 1, reference: 'match', outcome: 'half-win', account_id: 1, created_at: CREATED, updated_at: CREATED },
};

const open = {
  id: 2,
  account_id: 1,
  offer_status: 'requesting',
  wager_id: 2,
  wager_reference: 'next',
  requesting_user_id: 2,
  requesting_user_reference: 'bob',
  requesting_odds: 1.000001,
  requesting_amount: 0.000001,
  allowed_acceptor_ids: [1],
  created_at: CREATED,
  expires_at: null,
};

const unaccepted = {
  accepting_user_id: null,
  accepting_user_reference: null,
  effective_odds: null,
  effective_amount: null,
  override_outcome: null,
  is_active: true,
  accepted_at: null,
  wager: { id: 2, reference: 'next', outcome: 'undecided', account_id: 1, created_at: CREATED, updated_at: CREATED },
};

const transaction = (id: number, user: string, type: string, description: string) => ({
  id,
  account_id: 1,
  user_id: user === 'ann' ? 1 : 2,
  user_reference: user,
  reference: referenceOf(id),
  amount: 300,
  description,
  transaction_type: type,
  transaction_source: 'bet',
  bet_trail_id: 4,
  balance_after: type === 'credit' ? 300 : -300,
  created_at: CREATED,
});

const trail = (id: number, status: string, outcome: string, transactions: object[]) => ({
  id,
  bet_id: 1,
  account_id: 1,
  wager_id: 1,
  offer_status: status,
  description: 'step 1',
  outcome,
  override_outcome: null,
  requesting_odds: 3,
  requesting_amount: 300,
  accepting_odds: status === 'accepted' ? 3 : null,
  accepting_amount: status === 'accepted' ? 300 : null,
  effective_odds: status === 'accepted' ? 3 : null,
  effective_amount: status === 'accepted' ? 300 : null,
  created_at: CREATED,
  transactions,
});

const trails = (transactions: object[]) => [
  trail(1, 'requesting', 'undecided', []),
  trail(3, 'accepted', 'undecided', []),
  trail(4, 'accepted', 'half-win', transactions),
];

const moves = [transaction(1, 'ann', 'credit', 'won'), transaction(2, 'bob', 'debit', 'lost')];

type Client = Pick<LoggedIn, 'client'>;
const get = (path: string, { client }: Client = owner) => client.get(path);

describe('a bet', () => {
  it.each([
    ['', settled],
    ['?include_bet_trails=false', settled],
    ['?include_bet_trails=true', { ...settled, bet_trails: trails([]) }],
    ['?include_bet_trails=1&include_bet_trails_transactions=true', { ...settled, bet_trails: trails(moves) }],
    ['?include_bet_trails_transactions=true', { ...settled, bet_trails: trails(moves) }],
  ])('is shown with what was asked for: %s', async (query, expected) => {
    expect((await get(`/bets/1${query}`)).body).toEqual({ data: expected, message: expect.any(String) });
    const history = ok(await get(`/bets/history${query}`), 200).data;
    expect(history[0]).toEqual(expected);
    expect(history[1]).toMatchObject({ ...open, ...unaccepted });
  });

  it('shows who may accept it only when it is restricted; among open offers always', async () => {
    expect(ok(await get('/bets/2'), 200).data).toEqual({ ...open, ...unaccepted });
    const list = ok(await get('/bets/open-bets'), 200);
    expect(list.data).toEqual([open]);
    expect(list.total_requesting_amount).toBe(0.000001);
  });
});

describe('a transaction', () => {
  const funding = {
    ...transaction(3, 'bob', 'funding', 'much'),
    amount: 8589934591.999999,
    transaction_type: 'credit',
    transaction_source: 'funding',
    bet_trail_id: null,
    balance_after: 8_589_934_291.999999,
  };

  it.each(['/transactions/3', `/transactions/${referenceOf(3)}/reference`])('is read at %s', async (path) => {
    expect((await get(path)).body).toEqual({ data: funding, message: expect.any(String) });
  });
});

describe('a wager', () => {
  const book = {
    wager: 'next',
    status: 'undecided',
    as_of: expect.stringMatching(/Z$/),
    best_odds: 1.000001,
    levels: [{ odds: 1.000001, amount: 0.000001, offers: 1, oldest: CREATED }],
    open_amount: 0.000001,
    open_offers: 1,
    matched_amount: 0,
    matched_bets: 0,
    last_matched: null,
  };

  it('is shown with how far its bets are', async () => {
    expect(ok(await get('/wagers/match'), 200)).toEqual({
      data: {
        ...settled.wager,
        ...NEW_WAGER_STATUS,
        settling_since: null,
        settlement: { bets: 1, settled: 1, remaining: 0, state: 'settled' },
      },
      message: expect.any(String),
    });
    expect(ok(await get('/wagers/next'), 200).data.settlement.state).toBe('undecided');
  });

  it('is shown with its book when a depth is given', async () => {
    expect(ok(await get('/wagers/next?depth=3'), 200).data.book).toEqual(book);
    expect(ok(await get('/wagers/next'), 200).data).not.toHaveProperty('book');
  });

  it('has an order book', async () => {
    expect(ok(await get('/wagers/next/book'), 200)).toEqual(book);
    expect(ok(await get('/wagers/next/book?user_id=2'), 200)).toMatchObject({ levels: [], best_odds: null });
    const matched = { matched_amount: 300, matched_bets: 1, last_matched: { odds: 3, amount: 300, at: CREATED } };
    expect(ok(await get('/wagers/match/book'), 200)).toMatchObject({ status: 'settled', levels: [], ...matched });
  });

  it('has a book of as many levels as are asked for', async () => {
    await api.database.query(`INSERT INTO bets (account_id, wager_id, queue_place, requesting_user_id, requesting_odds,
      requesting_amount, offer_status) VALUES (1, 2, 3, 2, 5000000, 1, 'requesting')`);
    expect(ok(await get('/wagers/next/book?depth=1'), 200)).toMatchObject({ levels: book.levels, open_offers: 2 });
    await api.database.query('UPDATE bets SET is_active = false WHERE requesting_odds = 5000000');
  });

  it('is found by any reference that a wager may have', async () => {
    const reference = 'Süd/Nord 3:2 ?&#%25 é';
    await api.database.query('INSERT INTO wagers (account_id, reference) VALUES (1, $1)', [reference]);
    expect(ok(await get(`/wagers/${encodeURIComponent(reference)}`), 200).data.reference).toBe(reference);
  });
});

describe('a user', () => {
  it('is found by any reference that a user may have', async () => {
    const reference = 'a/b ?#%ü';
    const { id } = await createUser(owner.client, { name: 'Odd', reference });
    expect(ok(await get(`/account/user/${encodeURIComponent(reference)}/reference`), 200).data.id).toBe(id);
  });
});

describe('the totals of what was matched', () => {
  it('have a frame of positions', async () => {
    const { head, ...totals } = ok(await get('/events/matched-totals'), 200);
    expect(totals).toMatchObject({ matched_bets: 0, matched_amount: 0, next: head, has_more: false });
    expect(totals.next_seq).toBe(totals.head_seq);
    expect(ok(await get(`/events/matched-totals?after=${head}`), 200)).toEqual({ head, ...totals });
    expect(ok(await get('/events/matched-totals?created_from=2099-01-01'), 200)).toEqual({ head, ...totals });
  });
});

// `tenants.test.ts` shows for every route that the API answers a name of another account as it answers an unknown name.
describe('what nobody has', () => {
  it.each([
    ['/bets/999?include_bet_trails=true', 'Bet not found'],
    ['/transactions/none/reference', 'Transaction not found'],
    ['/wagers/nothing', 'Wager not found'],
    ['/wagers/nothing/book', 'Wager not found'],
    ['/wagers/match/book?user_id=999', 'User not found'],
    ['/account/user/nobody/reference', 'User not found'],
    ['/account/user/999/positions', 'User not found'],
    ['/account/user/nobody/statement', 'User not found'],
  ])('is not found: %s', async (path, error) => {
    const { status, body } = await get(path);
    expect({ status, body }).toEqual({ status: 404, body: { status: 404, error } });
  });

  it('is refused without a credential', async () => {
    expect((await api.client.get('/bets/1')).status).toBe(401);
  });
});

describe('account_id', () => {
  const paths = [
    '/bets/1?include_bet_trails_transactions=true',
    '/wagers/match?depth=2',
    '/wagers/match/book?depth=5',
    '/account/user/1/positions?per_page=5',
    '/account/user/ann/statement?from=2026-03-01&to=2026-03-02',
  ];
  const withoutMoment = (body: object) => JSON.parse(JSON.stringify(body).replaceAll(/"as_of":"[^"]+"/g, '"as_of":""'));

  it.each(paths)('lets an admin read for the account that it names: %s', async (path) => {
    const named = ok(await get(`${path}&account_id=1`, admin), 200);
    expect(withoutMoment(named)).toEqual(withoutMoment(ok(await get(path), 200)));
    for (const query of ['', '&account_id=2', '&account_id=999999']) {
      expect((await get(path + query, admin)).status).toBe(404);
    }
  });

  it('lets an admin read the totals of any account', async () => {
    const named = await get('/events/matched-totals?account_id=1', admin);
    expect(named.body).toEqual(ok(await get('/events/matched-totals'), 200));
    expect(ok(await get('/events/matched-totals?account_id=1', stranger), 200).head_seq).toBe(0);
  });
});

describe('a read with faults', () => {
  it.each([
    ['/account/user/abc', ['userId must be an integer number']],
    ['/account/user/0', ['userId must not be less than 1']],
    ['/account/user/99999999999999999999', ['userId must not be greater than 9007199254740991']],
    ['/account/user/a%2Cb/reference', ['reference must not contain a comma']],
    ['/bets/one', ['id must be an integer number']],
    ['/bets/1?account_id=one', ['account_id must be an integer number']],
    ['/wagers/match?account_id=x', ['account_id must be an integer number']],
    ['/wagers/a%2Cb', ['reference must not contain a comma']],
    ['/wagers/match/book?depth=0&user_id=x', ['depth must not be less than 1', 'user_id must be an integer number']],
    ['/wagers/match/book?depth=101', ['depth must not be greater than 100']],
    ['/events/matched-totals?after=abc', ['after must be a cursor']],
    ['/events/matched-totals?created_from=yesterday', [expect.stringContaining('created_from must be')]],
    ['/events/matched-totals?after=x&created_from=2026-01-15', ['created_from must not be given together with after']],
  ])('is refused: %s', async (path, message) => {
    expect((await get(path)).body).toMatchObject({ statusCode: 400, message });
  });
});
