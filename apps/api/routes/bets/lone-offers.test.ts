import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { ok, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// A user's only offer on a wager has no row in positions: what is shown is the same.

const api = withTestApi({ isAudited: true, hasWorker: true });
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

const setActive = async (id: number, isActive: boolean) => {
  const admin = await registerAdmin(api.client, api.database);
  return admin.client.post(`/admin/bets/${id}/${isActive ? 'set-active' : 'set-inactive'}`, {});
};

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

  it('is none beside matched bets that cancel out: they have their rows', async () => {
    const make = (reference: string, amount: number) => ({
      operation_type: 'make_bet_offer',
      data: {
        requesting_user_reference: reference,
        wager_reference: 'match',
        requesting_odds: 2,
        requesting_amount: amount,
      },
    });
    const accept = (reference: string) => ({
      operation_type: 'accept_bet_offer',
      data: { accepting_user_reference: reference, wager_reference: 'match', maximum_odds: 2, accepting_amount: 10 },
    });
    const operations = [make('ann', 10), accept('bob'), make('bob', 10), accept('ann'), make('ann', 5)];
    const numbered = operations.map((operation, index) => ({ ...operation, operation_id: String(index) }));
    ok(await business.client.post('/bets/batch', { operations: numbered }));
    expect(await rowsOf('ann')).toEqual([{ win: 0, loss: 0, offered: 5 }]);
    expect(await rowsOf('bob')).toEqual([{ win: 0, loss: 0, offered: 0 }]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 5 });
    await expectBooksToBalance(api.database);
  });

  it.each([
    [
      'a decision',
      () => business.decide('win'),
      () => business.client.post('/wagers/match/correct', { outcome: 'undecided' }),
    ],
    ['an admin', (id: number) => setActive(id, false), (id: number) => setActive(id, true)],
  ])('is none while %s closes it, and the same when it is open again', async (_by, close, reopen) => {
    const { bet_id } = ok(await business.make('ann', 100, 3)).data;
    expect((await close(bet_id)).status).toBeLessThan(300);
    expect([await rowsOf('ann'), await shownOf('ann')]).toEqual([[], { positions: [], total: 0 }]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect((await reopen(bet_id)).status).toBe(200);
    const open = { win: 0, loss: 0, offered: 100 };
    expect([await rowsOf('ann'), await shownOf('ann')]).toEqual([[], { positions: [open], total: 1 }]);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 100 });
  });

  it('leaves no position when its wager is suspended', async () => {
    ok(await business.make('ann', 100, 3, { persistence: 'cancel_on_suspend' }));
    ok(await business.client.post('/wagers/match/suspend'), 200);
    await waitFor(async () => (await business.moneyOf('ann')).exposure === 0);
    expect([await rowsOf('ann'), await shownOf('ann')]).toEqual([[], { positions: [], total: 0 }]);
  });

  it('gets a row from the statement for releases that do not know it, and nothing else does', async () => {
    ok(await business.make('ann', 100, 3));
    for (const amount of [1, 2]) ok(await business.make('bob', amount, 2));
    const operations = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8');
    const [, statement = ''] = /`(INSERT INTO positions [^`]+)`/.exec(operations) ?? [];
    await api.database.query(statement);
    expect(await rowsOf('ann')).toEqual([{ win: 0, loss: 0, offered: 100 }]);
    expect(await rowsOf('bob')).toEqual([{ win: 0, loss: 0, offered: 3 }]);
    await expectBooksToBalance(api.database);
    ok(await business.accept('bob', 40, { maximum_odds: 3 }));
    expect(await rowsOf('ann')).toEqual([{ win: 80, loss: -40, offered: 60 }]);
  });

  it('gives its exposure back by a decision, as the preview says', async () => {
    ok(await business.make('ann', 100, 3));
    const operation = { type: 'update_wager_outcome', reference: 'match', outcome: 'win' };
    const { data } = ok(await business.client.post('/previews', { operation }), 200);
    expect(data.largest).toMatchObject([{ reference: 'ann', exposure: 100, exposure_after: 0 }]);
    ok(await business.decide('win'));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect(await shownOf('ann')).toEqual({ positions: [], total: 0 });
  });
});
