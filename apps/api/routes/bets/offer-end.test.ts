import { describe, expect, it } from '@jest/globals';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// No worker runs here: what ends, ends by the clock of PostgreSQL alone.
const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });

const FUTURE = new Date(Date.now() + 86_400_000).toISOString();
/** As if the time of the offers had come. */
const passTime = () =>
  api.database.query(`UPDATE bets SET expires_at = now() WHERE expires_at IS NOT NULL AND account_id = $1`, [
    business.account.id,
  ]);
const levels = async () => ok(await business.client.get('/wagers/match/book'), 200).levels;

describe('an offer that ends at a time', () => {
  it('shows when, and when it was accepted; so does its rest', async () => {
    const { bet_id } = ok(await business.make('ann', 10, 2, { expires_at: FUTURE })).data;
    expect(await business.bet(bet_id)).toMatchObject({ expires_at: FUTURE, accepted_at: null });
    ok(await business.accept('bob', 4));
    const { accepted_at, created_at } = await business.bet(bet_id);
    expect(Date.parse(accepted_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
    const { data } = ok(await business.client.get('/bets/open-bets'), 200);
    expect(data).toMatchObject([{ requesting_amount: 6, expires_at: FUTURE }]);
  });

  it('is passed over by acceptances and the book from its time on, and still counts as exposure', async () => {
    const { bet_id } = ok(await business.make('ann', 10, 2, { expires_in: 3_600 })).data;
    const { bet_id: kept } = ok(await business.make('ann', 20, 3)).data;
    expect(await levels()).toHaveLength(2);
    await passTime();
    expect(await levels()).toMatchObject([{ odds: 3, amount: 20 }]);
    const one = await business.accept('bob', 10, { bet_id });
    expect(one.body).toEqual({ status: 400, error: "bet offer status must be 'requesting'" });
    expect(ok(await business.accept('bob', 30)).data).toMatchObject([{ bet_id: kept, accepted_amount: 20 }]);
    expect((await business.accept('bob', 1)).body).toEqual({ status: 400, error: 'No matching bet offers found' });
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 30 });
    ok(await business.cancel('ann', { cancel_all: true }));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 20 });
  });

  it('is taken as any other where the acceptance reads further offers', async () => {
    const offers = Array.from({ length: 60 }, (_, index) => ({
      operation_type: 'make_bet_offer',
      operation_id: `offer-${index}`,
      data: {
        wager_reference: 'match',
        requesting_user_reference: 'ann',
        requesting_odds: 2,
        requesting_amount: 1,
        ...(index % 2 === 1 && { expires_at: FUTURE }),
      },
    }));
    for (const operations of [offers.slice(0, 20), offers.slice(20, 40), offers.slice(40)])
      ok(await business.client.post('/bets/batch', { operations }));
    const accepting = {
      wager_reference: 'match',
      accepting_user_reference: 'bob',
      maximum_odds: 2,
      accepting_amount: 30,
    };
    const operations = ['a', 'b'].map((id) => ({
      operation_type: 'accept_bet_offer',
      operation_id: id,
      data: accepting,
    }));
    const { results } = ok(await business.client.post('/bets/batch', { operations }));
    expect(results.map(({ data }: { data: object[] }) => data.length)).toEqual([30, 30]);
  });

  it('does not hide the offers behind a thousand that have ended', async () => {
    ok(await business.make('ann', 0.01, 2, { expires_in: 3_600 }));
    const own = [business.account.id];
    await api.database.query(
      `INSERT INTO bets (account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
                         expires_at)
       SELECT account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, id, expires_at
         FROM bets CROSS JOIN generate_series(1, 1000) WHERE account_id = $1`,
      own,
    );
    await passTime();
    const { bet_id } = ok(await business.make('ann', 10, 5)).data;
    expect(ok(await business.accept('bob', 10)).data).toMatchObject([{ bet_id }]);
    await api.database.query(`ALTER TABLE bets DISABLE TRIGGER USER`);
    await api.database.query(
      `DELETE FROM bets b WHERE account_id = $1 AND NOT EXISTS (
        SELECT FROM bet_trails t WHERE t.account_id = b.account_id AND t.bet_id = b.id)`,
      own,
    );
    await api.database.query(`ALTER TABLE bets ENABLE TRIGGER USER`);
  });

  it('is refused in a batch with the name of its operation', async () => {
    const data = {
      wager_reference: 'match',
      requesting_user_reference: 'ann',
      requesting_odds: 2,
      requesting_amount: 1,
    };
    const operations = [
      { operation_type: 'make_bet_offer', operation_id: 'kept', data },
      { operation_type: 'make_bet_offer', operation_id: 'late', data: { ...data, expires_at: '2020-01-01T00:00:00Z' } },
    ];
    const { status, body, headers } = await business.client.post('/bets/batch', { operations });
    expect([status, body.message]).toEqual([400, ["operation 'late': expires_at must be in the future"]]);
    expect(headers.get('ledger-error-operation')).toBe('late');
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
  });

  it.each([
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at must be in the future'],
    [{ expires_at: '2098-01-01T00:00:00Z' }, 'expires_at must not be more than 400 days ahead'],
    [{ expires_at: 'soon' }, 'expires_at must be a timestamp or an ISO 8601 date'],
    [{ expires_at: FUTURE, expires_in: 1 }, 'expires_in must not be given together with expires_at'],
    [{ expires_in: 0 }, 'expires_in must not be less than 1'],
    [{ expires_in: 34_560_001 }, 'expires_in must not be greater than 34560000'],
    [{ expires_in: 1.5 }, 'expires_in must be an integer number'],
    [{ persistence: 'lapse' }, 'persistence must be one of the following values: keep, cancel_on_suspend'],
  ])('is refused with %j', async (more, fault) => {
    const answer = await business.make('ann', 10, 2, more);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(fault);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
  });

  it('may be made by a batch', async () => {
    const data = {
      wager_reference: 'match',
      requesting_odds: 2,
      requesting_amount: 10,
      requesting_user_reference: 'ann',
    };
    const operation = (id: string, more: object) => ({
      operation_type: 'make_bet_offer',
      operation_id: id,
      data: { ...data, ...more },
    });
    const operations = [operation('1', { expires_at: FUTURE }), operation('2', { expires_in: null })];
    const { results } = ok(await business.client.post('/bets/batch', { operations }));
    expect(await business.bet(results[0].data.bet_id)).toMatchObject({ expires_at: FUTURE });
    expect(await business.bet(results[1].data.bet_id)).toMatchObject({ expires_at: null });
    const past = { operations: [operation('x', { expires_at: '2020-01-01T00:00:00Z' })] };
    const { body } = await business.client.post('/bets/batch', past);
    expect(body).toMatchObject({ message: ["operation 'x': expires_at must be in the future"], statusCode: 400 });
  });
});
