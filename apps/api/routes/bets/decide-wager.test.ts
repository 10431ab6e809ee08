import { describe, expect, it } from '@jest/globals';
import type { TestClient } from '#testing/client.js';
import { registerAndLogIn } from '#testing/client.js';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true, processes: 2 });
const business = withFreshBusiness(api, { ann: 1_000, bob: 1_000 });

const DECIDED = { status: 400, error: 'Wager has already been decided' };

/** User, amount, type: what a trail entry shows of its transactions. */
const sidesOf = (trail: { transactions: { user_reference: string; amount: number; transaction_type: string }[] }) =>
  trail.transactions
    .map(({ user_reference, amount, transaction_type }) => [user_reference, amount, transaction_type])
    .sort();

describe('deciding a wager', () => {
  it.each([
    ['win', 600, 'credit', 'debit'],
    ['half-win', 300, 'credit', 'debit'],
    ['push', 0, 'no-action', 'no-action'],
    ['void', 0, 'no-action', 'no-action'],
    ['half-loss', -150, 'debit', 'credit'],
    ['loss', -300, 'debit', 'credit'],
  ])('%s moves %d from the acceptor to the requester', async (outcome, movement, requesterType, acceptorType) => {
    const matched = await business.match('ann', 'bob', 300, 3);
    const open = ok(await business.make('ann', 50)).data.bet_id;
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 350 });
    const answer = await business.decide(outcome);
    expect([answer.status, answer.body]).toEqual([201, { message: 'Wager outcome updated' }]);

    expect(await business.moneyOf('ann')).toEqual({ balance: 1000 + movement, exposure: 0 });
    expect(await business.moneyOf('bob')).toEqual({ balance: 1000 - movement, exposure: 0 });
    const bet = await business.bet(matched);
    expect(bet).toMatchObject({ offer_status: 'accepted', override_outcome: null, wager: { outcome } });
    expect(bet.bet_trails.map(sidesOf)).toEqual([
      [],
      [],
      [
        ['ann', Math.abs(movement), requesterType],
        ['bob', Math.abs(movement), acceptorType],
      ],
    ]);
    expect(bet.bet_trails[2]).toMatchObject({
      outcome,
      offer_status: 'accepted',
      description: `Bet settled: ${outcome}`,
    });
    expect(bet.bet_trails[2].transactions[0]).toMatchObject({
      transaction_source: 'bet',
      bet_trail_id: bet.bet_trails[2].id,
    });
    const expired = await business.bet(open);
    expect(expired).toMatchObject({ offer_status: 'expired', accepting_user_id: null });
    expect(expired.bet_trails.at(-1)).toMatchObject({ description: 'Offer expired', outcome, transactions: [] });
  });

  it('shows in the next request to any process', async () => {
    await business.match('ann', 'bob', 10);
    ok(await business.decide('win'));
    const elsewhere = (api.clients[1] as TestClient).as({ token: business.account.token });
    expect((await elsewhere.get('/account/user/ann/reference')).body.data.balance).toBe(1010);
    expect((await elsewhere.get('/bets/history?bet_outcomes=win')).body.total).toBe(1);
    expect((await elsewhere.get('/transactions?transaction_source=bet')).body.total).toBe(2);
    expect((await elsewhere.get('/bets/open-bets')).body).toMatchObject({ total: 0, total_requesting_amount: 0 });
  });

  it('takes no offer, acceptance or cancel any more, and no second decision', async () => {
    const bet_id = ok(await business.make('ann', 10)).data.bet_id;
    ok(await business.decide('push'));
    expect((await business.make('ann', 10)).body).toEqual(DECIDED);
    expect((await business.accept('bob', 10)).body).toEqual(DECIDED);
    expect((await business.accept('bob', 10, { bet_id })).body).toEqual(DECIDED);
    expect((await business.cancel('ann', { cancel_all: true })).body.error).toBe('No cancelable bets found');
    for (const outcome of ['win', 'push', 'undecided']) expect((await business.decide(outcome)).body).toEqual(DECIDED);
  });

  it.each([
    [{ outcome: 'win' }, ['reference should not be empty']],
    [{ reference: 'match' }, ['outcome should not be empty']],
    [
      { reference: 'match', outcome: 'draw' },
      ['outcome must be one of the following values: undecided, win, loss, push, half-win, half-loss, void'],
    ],
    [{ reference: 'a,b', outcome: 'win' }, ['reference must not contain a comma']],
    [
      { reference: 5, outcome: null, wager_reference: 'match' },
      ['reference must be a string', 'outcome should not be empty', 'property wager_reference should not exist'],
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await business.client.post('/bets/update-wager-outcome', body);
    expect([answer.status, answer.body]).toEqual([400, { message, error: 'Bad Request', statusCode: 400 }]);
  });

  it('knows only the wagers of the account', async () => {
    ok(await business.make('ann', 10));
    const unknown = { status: 404, error: 'Wager not found' };
    expect((await business.decide('win', 'nothing')).body).toEqual(unknown);
    const stranger = (await registerAndLogIn(api.client)).client;
    const answer = await stranger.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'win' });
    expect([answer.status, answer.body]).toEqual([404, unknown]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 10 });
  });

  it('happens once: 50 parallel decisions through two processes', async () => {
    await business.user('cat');
    for (const odds of [1.5, 2, 3]) {
      await business.match('ann', 'bob', 10, odds);
      await business.match('cat', 'ann', 5, odds);
      ok(await business.make('bob', 1, odds));
    }
    const clients = api.clients.map((client) => client.as({ token: business.account.token }));
    const outcomes = ['win', 'half-win', 'push', 'half-loss', 'loss'];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        clients[index % 2]?.post('/bets/update-wager-outcome', { reference: 'match', outcome: outcomes[index % 5] }),
      ),
    );
    expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer?.status === 400).map((answer) => answer?.body)).toEqual(
      Array(49).fill(DECIDED),
    );
    const winner = outcomes[answers.findIndex((answer) => answer?.status === 201) % 5];
    const { data } = ok(await business.client.get(`/bets/history?bet_outcomes=${winner}&include_bet_trails=true`), 200);
    expect(data.map(({ bet_trails }: { bet_trails: object[] }) => bet_trails.length)).toEqual(
      data.map(({ offer_status }: { offer_status: string }) => (offer_status === 'expired' ? 2 : 3)),
    );
    expect(data).toHaveLength(9);
  });

  it('races with offers and acceptances: what came first is settled, what came later is refused', async () => {
    ok(await business.make('ann', 20));
    const clients = api.clients.map((client) => client.as({ token: business.account.token }));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const client = clients[index % 2];
        const wager = { wager_reference: 'match' };
        if (index === 20) return client?.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'win' });
        return index % 4 < 2
          ? client?.post('/bets/make-offer', {
              ...wager,
              requesting_odds: 2,
              requesting_amount: 1,
              requesting_user_reference: 'ann',
            })
          : client?.post('/bets/accept-offer', {
              ...wager,
              maximum_odds: 2,
              accepting_amount: 1,
              accepting_user_reference: 'bob',
            });
      }),
    );
    const refused = answers.filter((answer) => answer?.status === 400).map((answer) => answer?.body);
    for (const body of refused) expect(body).toEqual(DECIDED);
    const accepted = answers.filter((answer, index) => index % 4 >= 2 && answer?.status === 201).length;
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000 + accepted, exposure: 0 });
    expect(await business.moneyOf('bob')).toEqual({ balance: 1000 - accepted, exposure: 0 });
  });
});
