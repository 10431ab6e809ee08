import { describe, expect, it } from '@jest/globals';
import { offer, ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api);

describe('making offers', () => {
  it('creates the wager, the bet and a trail entry, and exposes the stake', async () => {
    await business.user('ann');
    const first = await business.make('ann', 100, 2.5);
    expect([first.status, first.body]).toEqual([
      201,
      {
        data: { bet_id: expect.any(Number), wager_reference: 'match', wager_id: expect.any(Number) },
        message: expect.any(String),
      },
    ]);
    const second = ok(await business.make('ann', 0.000001, 1));
    expect(second.data.wager_id).toBe(first.body.data.wager_id);
    expect(second.data.bet_id).toBeGreaterThan(first.body.data.bet_id);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 100.000001 });
    const trails = await api.database.query('SELECT description, offer_status FROM bet_trails WHERE bet_id = $1', [
      first.body.data.bet_id,
    ]);
    expect(trails).toEqual([{ description: 'Offer made', offer_status: 'requesting' }]);
  });

  it.each([
    ['more than there is', 1000.000001, {}, 400, 'Insufficient balance: offer would cause negative effective balance'],
    ['an unknown user', 1, { requesting_user_reference: 'nobody' }, 404, 'User not found'],
    [
      'nobody',
      1,
      { requesting_user_reference: null },
      400,
      'requesting_user_id or requesting_user_reference must be defined',
    ],
    ['an unknown allowed acceptor', 1, { allowed_acceptor_ids: [999999999] }, 404, 'Allowed acceptor not found'],
  ])('refuses %s and changes nothing', async (_case, amount, more, status, error) => {
    await business.user('ann');
    const answer = await business.make('ann', amount, 2, more);
    expect([answer.status, answer.body]).toEqual([status, { status, error }]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect(
      await api.database.query(`SELECT 1 FROM wagers w JOIN accounts a ON a.id = w.account_id WHERE a.email = $1`, [
        business.account.email,
      ]),
    ).toEqual([]);
  });

  it('stores meta of 8,192 characters as JSON, and refuses more', async () => {
    await business.user('ann');
    await business.user('bob');
    const meta = (characters: number) => ({ note: 'x'.repeat(characters - JSON.stringify({ note: '' }).length) });
    const { bet_id } = ok(await business.make('ann', 10, 2, { meta: meta(8_192) })).data;
    for (const refused of [
      await business.make('ann', 10, 2, { meta: meta(8_193) }),
      await business.accept('bob', 10, { meta: meta(8_193) }),
    ]) {
      expect(refused.status).toBe(400);
      expect(refused.body.message).toEqual(['meta must be shorter than or equal to 8192 characters as JSON']);
    }
    ok(await business.accept('bob', 4));
    const stored = await api.database.query(
      `SELECT length(b.meta ->> 'note') AS length FROM bets b WHERE b.queue_place = $1 ORDER BY b.id`,
      [bet_id],
    );
    expect(stored).toEqual([{ length: 8_181 }, { length: 8_181 }]);
  });

  it('refuses identifiers that name different users', async () => {
    const ann = await business.user('ann');
    await business.user('bob');
    const answer = await business.make('bob', 1, 2, { requesting_user_id: ann });
    expect(answer.status).toBe(400);
    expect(ok(await business.make('ann', 1, 2, { requesting_user_id: ann })).data.bet_id).toEqual(expect.any(Number));
  });

  it.each([
    [{ requesting_amount: 0 }, 'requesting_amount must not be less than 0.000001'],
    [{ requesting_odds: 0.5 }, 'requesting_odds must not be less than 1'],
    [{ requesting_amount: 1.0000001 }, 'requesting_amount must not have more than 6 decimal places'],
    [{ wager_reference: '' }, 'wager_reference should not be empty'],
    [{ bet_id: 5 }, 'property bet_id should not exist'],
    [{ requesting_amount: '5' }, 'requesting_amount must be a number'],
    [{ allowed_acceptor_ids: ['x'] }, 'allowed_acceptor_ids[0] must be an integer number'],
  ])('validates %j', async (change, text) => {
    const answer = await business.client.post('/bets/make-offer', { ...offer('ann', 1), ...change });
    expect(answer.body).toEqual({ message: [text], error: 'Bad Request', statusCode: 400 });
  });

  it('lets a user below zero where the user or the account allows it', async () => {
    ok(
      await business.client.post('/account/user', {
        name: 'x',
        reference: 'free',
        preferences: { allow_negative_balance: true },
      }),
    );
    ok(await business.make('free', 50));
    expect(await business.moneyOf('free')).toEqual({ balance: 0, exposure: 50 });
    await api.database.query(`UPDATE accounts SET preferences = '{"allow_negative_balance": true}' WHERE email = $1`, [
      business.account.email,
    ]);
    await business.user('ann', 0);
    ok(await business.make('ann', 5));
    ok(
      await business.client.post('/account/user', {
        name: 'x',
        reference: 'bound',
        preferences: { allow_negative_balance: false },
      }),
    );
    expect((await business.make('bound', 5)).status).toBe(400);
  });
});
