import { describe, expect, it } from '@jest/globals';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// A user's only offer on a wager has no row in positions: what is shown is the same.

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });

const rowsOf = (reference: string) =>
  api.database.query(
    `SELECT p.win::float8 / 1e6 AS win, p.loss::float8 / 1e6 AS loss, p.offered::float8 / 1e6 AS offered
       FROM positions p JOIN users u ON u.account_id = p.account_id AND u.id = p.user_id
      WHERE u.account_id = $1 AND u.reference = $2`,
    [business.account.id, reference],
  );

async function shownOf(reference: string, query = '') {
  const user = ok(await business.client.get(`/account/user/${reference}/reference`), 200).data;
  const { data, total } = ok(await business.client.get(`/account/user/${user.id}/positions?${query}`), 200);
  return { positions: data.map(({ win, loss, offered }: Record<string, number>) => ({ win, loss, offered })), total };
}

describe('the only offer of a user on a wager', () => {
  it('is a position without a row, until a second one comes', async () => {
    ok(await business.make('ann', 100, 3));
    const lone = { win: 0, loss: 0, offered: 100 };
    expect(await rowsOf('ann')).toEqual([]);
    expect(await shownOf('ann')).toEqual({ positions: [lone], total: 1 });
    expect(await shownOf('ann', 'wager_reference=match')).toEqual({ positions: [lone], total: 1 });
    expect(await shownOf('ann', 'wager_reference=another')).toEqual({ positions: [], total: 0 });
    expect(await shownOf('bob')).toEqual({ positions: [], total: 0 });
    ok(await business.make('ann', 20, 2));
    expect(await rowsOf('ann')).toEqual([{ win: 0, loss: 0, offered: 120 }]);
    expect(await shownOf('ann')).toEqual({ positions: [{ win: 0, loss: 0, offered: 120 }], total: 1 });
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 120 });
  });

  it('leaves no position when it is canceled', async () => {
    ok(await business.make('ann', 100, 3));
    ok(await business.cancel('ann', { cancel_all: true }));
    expect([await rowsOf('ann'), await shownOf('ann')]).toEqual([[], { positions: [], total: 0 }]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
  });

  it('is still one when a part of it is canceled', async () => {
    ok(await business.make('ann', 100, 3));
    ok(await business.cancel('ann', { cancel_amount: 40 }));
    expect([await rowsOf('ann'), await shownOf('ann')]).toEqual([
      [],
      { positions: [{ win: 0, loss: 0, offered: 60 }], total: 1 },
    ]);
    ok(await business.accept('bob', 60));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 60 });
    expect(await business.moneyOf('bob')).toEqual({ balance: 1000, exposure: 120 });
  });

  it('is a row of both users when it is matched', async () => {
    ok(await business.make('ann', 100, 3));
    ok(await business.accept('bob', 40));
    expect(await rowsOf('ann')).toEqual([{ win: 80, loss: -40, offered: 60 }]);
    expect(await rowsOf('bob')).toEqual([{ win: -80, loss: 40, offered: 0 }]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 100 });
    expect(await business.moneyOf('bob')).toEqual({ balance: 1000, exposure: 80 });
  });

  it('that another one replaces in one batch counts once', async () => {
    ok(await business.make('ann', 1000, 3));
    const named = { requesting_user_reference: 'ann' };
    const cancel = { ...named, wager_references: ['match'], cancel_all: true };
    const make = { ...named, wager_reference: 'match', requesting_odds: 2, requesting_amount: 1000 };
    const operations = [
      { operation_type: 'cancel_bet_offer', operation_id: 'old', data: cancel },
      { operation_type: 'make_bet_offer', operation_id: 'new', data: make },
    ];
    ok(await business.client.post('/bets/batch', { operations }));
    expect((await shownOf('ann')).positions).toEqual([{ win: 0, loss: 0, offered: 1000 }]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 1000 });
    expect((await business.make('ann', 1, 2)).status).toBe(400);
  });

  it('is previewed as it will be decided', async () => {
    ok(await business.make('ann', 100, 3));
    const operation = { type: 'update_wager_outcome', reference: 'match', outcome: 'win' };
    const { data } = ok(await business.client.post('/previews', { operation }), 200);
    expect(data.largest).toMatchObject([{ reference: 'ann', exposure: 100, exposure_after: 0 }]);
    ok(await business.decide('win'));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect(await shownOf('ann')).toEqual({ positions: [], total: 0 });
  });
});
