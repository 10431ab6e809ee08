import { describe, expect, it } from '@jest/globals';
import { offer, ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api);

describe('accepting', () => {
  it('takes best odds first, then the oldest, splits the last, and moves both exposures', async () => {
    await Promise.all(['ann', 'bob', 'cat'].map((name) => business.user(name)));
    const dear = ok(await business.make('ann', 100, 3)).data.bet_id;
    const old = ok(await business.make('ann', 100, 2)).data.bet_id;
    const young = ok(await business.make('bob', 100, 2)).data.bet_id;
    const { data } = ok(await business.accept('cat', 150));
    expect(data).toEqual([
      {
        bet_id: old,
        requesting_user_reference: 'ann',
        requesting_user_id: expect.any(Number),
        accepted_amount: 100,
        accepted_odds: 2,
        wager_reference: 'match',
        wager_id: expect.any(Number),
      },
      expect.objectContaining({ bet_id: young, requesting_user_reference: 'bob', accepted_amount: 50 }),
    ]);
    expect(await business.moneyOf('cat')).toEqual({ balance: 1000, exposure: 150 });
    // The rest keeps its place: it goes before a newer offer of the same odds.
    ok(await business.make('ann', 10, 2));
    const next = ok(await business.accept('cat', 60)).data;
    expect(
      next.map(({ requesting_user_reference }: { requesting_user_reference: string }) => requesting_user_reference),
    ).toEqual(['bob', 'ann']);
    expect(ok(await business.accept('cat', 1)).data[0].bet_id).toBe(dear);
  });

  it('hedges: accepting against one’s own matched offer frees exposure', async () => {
    await Promise.all(['ann', 'bob'].map((name) => business.user(name)));
    ok(await business.make('ann', 100));
    ok(await business.accept('bob', 100));
    ok(await business.make('bob', 100));
    ok(await business.accept('ann', 100));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect(await business.moneyOf('bob')).toEqual({ balance: 1000, exposure: 0 });
  });

  it('never matches a user with itself, and obeys the allow-list', async () => {
    const [, bob] = await Promise.all(['ann', 'bob', 'cat'].map((name) => business.user(name)));
    const { bet_id } = ok(
      await business.make('ann', 10, 2, { allowed_acceptor_ids: [bob], allowed_acceptor_references: ['bob'] }),
    ).data;
    const none = { status: 400, error: 'No matching bet offers found' };
    expect((await business.accept('ann', 10)).body).toEqual(none);
    expect((await business.accept('cat', 10)).body).toEqual(none);
    const byId = (reference: string) => business.accept(reference, 10, { wager_reference: null, bet_id });
    expect((await byId('ann')).body.error).toContain('own offer');
    expect((await byId('cat')).body.error).toContain('not allowed');
    expect((await business.accept('bob', 10, { bet_id, maximum_odds: 1.5 })).body.error).toContain(
      'above maximum_odds',
    );
    expect(ok(await byId('bob')).data[0].accepted_amount).toBe(10);
    expect((await byId('bob')).body.error).toContain("must be 'requesting'");
  });

  it('reaches past a long front of offers that are closed to the acceptor', async () => {
    await Promise.all(['ann', 'bob'].map((name) => business.user(name, 100_000)));
    for (let batch = 0; batch < 5; batch += 1) {
      const operations = Array.from({ length: 20 }, (_, index) => ({
        operation_type: 'make_bet_offer',
        operation_id: `${index}`,
        data: offer('ann', 1, 2),
      }));
      ok(await business.client.post('/bets/batch', { operations }));
    }
    ok(await business.make('bob', 7, 9));
    expect(ok(await business.accept('ann', 100)).data).toEqual([
      expect.objectContaining({ accepted_amount: 7, accepted_odds: 9 }),
    ]);
    expect(ok(await business.accept('bob', 100)).data).toHaveLength(100);
    expect(await business.moneyOf('ann')).toEqual({ balance: 100_000, exposure: 93 });
  });

  it('never over-matches: 200 parallel acceptances of one offer', async () => {
    await business.user('ann');
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => business.user(name)));
    ok(await business.make('ann', 50));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => business.accept(names[index % 20] ?? '', 1)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(({ body }) => body.error === 'No matching bet offers found')).toHaveLength(150);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 50 });
  });
});
