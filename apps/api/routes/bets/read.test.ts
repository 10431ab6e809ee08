import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';

const api = withTestApi();
let owner: LoggedIn;
let stranger: LoggedIn;

const CREATED = '2026-03-01T06:00:00.123Z';

/** A settled bet with three trail entries, two transactions on the last one; and an open bet with allowed acceptors. */
beforeAll(async () => {
  owner = await registerAndLogIn(api.client);
  stranger = await registerAndLogIn(api.client);
  const run = (sql: string) => api.database.query(sql);
  await run(`INSERT INTO users (account_id, reference, name) VALUES (1, 'ann', 'A'), (1, 'bob', 'B'), (2, 'cem', 'C')`);
  await run(`INSERT INTO wagers (account_id, reference, outcome, created_at, updated_at)
    VALUES (1, 'match', 'half-win', '${CREATED}', '${CREATED}'), (1, 'next', 'undecided', '${CREATED}', '${CREATED}')`);
  await run(`INSERT INTO bets (account_id, wager_id, queue_place, requesting_user_id, requesting_odds, requesting_amount,
      offer_status, accepting_user_id, effective_odds, effective_amount, settled_outcome, allowed_acceptor_ids,
      created_at)
    VALUES (1, 1, 1, 1, 3000000, 300000000, 'accepted', 2, 3000000, 300000000, 'half-win', '{}', '${CREATED}'),
           (1, 2, 2, 2, 1000001, 1, 'requesting', NULL, NULL, NULL, NULL, '{1}', '${CREATED}')`);
  // Trail entries of both bets alternate, so that the query must sort them out.
  await run(`INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
      requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount, first_transaction_id, last_transaction_id, created_at)
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
};

const unaccepted = {
  accepting_user_id: null,
  accepting_user_reference: null,
  effective_odds: null,
  effective_amount: null,
  override_outcome: null,
  is_active: true,
  wager: { id: 2, reference: 'next', outcome: 'undecided', account_id: 1, created_at: CREATED, updated_at: CREATED },
};

const transaction = (id: number, user: string, type: string, description: string) => ({
  id,
  account_id: 1,
  user_id: user === 'ann' ? 1 : 2,
  user_reference: user,
  reference: `TX_00000000000${id}`,
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

describe('a bet', () => {
  it.each([
    ['', settled],
    ['?include_bet_trails=false', settled],
    ['?include_bet_trails=true', { ...settled, bet_trails: trails([]) }],
    ['?include_bet_trails=1&include_bet_trails_transactions=true', { ...settled, bet_trails: trails(moves) }],
    ['?include_bet_trails_transactions=true', { ...settled, bet_trails: trails(moves) }],
  ])('is shown with what was asked for: %s', async (query, expected) => {
    const { status, body } = await owner.client.get(`/bets/1${query}`);
    expect([status, body]).toEqual([200, { data: expected, message: expect.any(String) }]);
    const history = await owner.client.get(`/bets/history${query}`);
    expect(history.body.data[0]).toEqual(expected);
    expect(history.body.data[1]).toMatchObject({ ...open, ...unaccepted });
  });

  it('shows who may accept it only when it is restricted; among open offers always', async () => {
    const { body } = await owner.client.get('/bets/2');
    expect(body.data).toEqual({ ...open, ...unaccepted });
    const list = await owner.client.get('/bets/open-bets');
    expect(list.body.data).toEqual([open]);
    expect(list.body.total_requesting_amount).toBe(0.000001);
  });

  it('is unknown to other accounts, with the very text that a missing one gets', async () => {
    const foreign = await stranger.client.get('/bets/1?include_bet_trails=true');
    const missing = await owner.client.get('/bets/999?include_bet_trails=true');
    expect([foreign.status, foreign.body]).toEqual([404, { status: 404, error: 'Bet not found' }]);
    expect([missing.status, missing.body]).toEqual([404, { status: 404, error: 'Bet not found' }]);
    expect((await owner.client.get('/bets/999')).status).toBe(404);
    expect((await owner.client.get('/bets/one')).body.message).toEqual(['id must be an integer number']);
    expect((await api.client.get('/bets/1')).status).toBe(401);
  });
});

describe('a bet of another account', () => {
  it('is read by an admin who names the account, and by nobody else', async () => {
    const admin = await registerAdmin(api.client, api.database);
    const read = await admin.client.get('/bets/1?account_id=1&include_bet_trails_transactions=true');
    expect([read.status, read.body.data]).toEqual([200, { ...settled, bet_trails: trails(moves) }]);
    const unknown = [404, { status: 404, error: 'Bet not found' }];
    for (const [{ client }, query] of [
      [admin, ''],
      [admin, '?account_id=2'],
      [stranger, '?account_id=1'],
    ] as const) {
      const { status, body } = await client.get(`/bets/1${query}`);
      expect([status, body]).toEqual(unknown);
    }
    expect((await owner.client.get('/bets/1?account_id=one')).body.message).toEqual([
      'account_id must be an integer number',
    ]);
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

  it.each(['/transactions/3', '/transactions/TX_000000000003/reference'])('is read at %s', async (path) => {
    const { status, body } = await owner.client.get(path);
    expect([status, body]).toEqual([200, { data: funding, message: expect.any(String) }]);
  });

  it.each([
    '/transactions/3',
    '/transactions/TX_000000000003/reference',
    '/transactions/999',
    '/transactions/none/reference',
  ])('is unknown to other accounts: %s', async (path) => {
    const { status, body } = await stranger.client.get(path);
    expect([status, body]).toEqual([404, { status: 404, error: 'Transaction not found' }]);
  });
});
