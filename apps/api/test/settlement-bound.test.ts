import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { startTestApi, startTestWorker } from '#testing/parts.js';
import { type Admin, offer, ok, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// Bets beyond the bound of a decision wait for the worker. Only the last test starts one.

let admin: Admin;

/** No server listens there: the API works without Redis. */
const NO_REDIS = { REDIS_URL: 'redis://127.0.0.1:1' };
const api = withTestApi({ settings: { SETTLEMENT_BOUND: '3', ...NO_REDIS } });
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
});

// While bets still wait, for the worker of the last test settles them all.
afterEach(() => expectBooksToBalance(api.database));

const openBets = async (query = '') => ok(await business.client.get(`/bets/open-bets${query}`), 200);
const wager = async () => ok(await business.client.get('/wagers/match'), 200).data;
const followUps = async () => {
  const { id } = business.account;
  return api.database.query(
    `SELECT topic, payload ->> 'wagerId' AS wager, relayed_at FROM outbox
      WHERE account_id = $1 AND topic <> 'verification-mail' ORDER BY id`,
    [id],
  );
};

async function offers(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let made = 0; made < count; made += 1) ids.push(ok(await business.make('ann', 1)).data.bet_id);
  return ids;
}

describe('a decision beyond its bound', () => {
  it('answers without Redis, says what is left, and closes the wager at once', async () => {
    for (let matched = 0; matched < 2; matched += 1) await business.match('ann', 'bob', 10);
    const [first] = await offers(5);
    ok(await business.make('bob', 2, 2, { wager_reference: 'other' }));
    expect((await api.client.get('/readyz')).body.redis).toBe('down');

    const answer = await business.decide('win');
    expect([answer.status, answer.body]).toEqual([201, { message: 'Wager outcome updated: 4 bets still to settle' }]);
    const { id, settling_since, settlement } = await wager();
    expect(settlement).toEqual({ bets: 2, settled: 0, remaining: 4, state: 'settling' });
    expect(settling_since).toEqual(expect.stringMatching(/Z$/));
    expect(await followUps()).toEqual([{ topic: 'settle-wager', wager: String(id), relayed_at: null }]);

    // Two offers are still open in the ledger, but no request lists, accepts or cancels them.
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 22 });
    const decided = 'Wager has already been decided';
    expect((await business.accept('bob', 1)).body.error).toBe(decided);
    expect((await business.accept('bob', 1, { bet_id: first })).body.error).toBe(decided);
    expect((await business.make('bob', 1)).body.error).toBe(decided);
    expect((await business.decide('loss')).body.error).toBe(decided);
    expect((await business.cancel('ann', { cancel_all: true })).body.error).toBe('No cancelable bets found');
    expect(await openBets()).toMatchObject({
      data: [{ wager_reference: 'other' }],
      total: 1,
      last_page: 1,
      total_requesting_amount: 2,
    });
    for (const query of ['?wager_references=match', '?requesting_user_references=ann', '?maximum_amount=1']) {
      expect(await openBets(query)).toMatchObject({ data: [], total: 0, total_requesting_amount: 0 });
    }
    expect(await openBets('?minimum_odds=1.5')).toMatchObject({ total: 1, total_requesting_amount: 2 });
    expect((await business.client.get('/wagers?outcome=win')).body.data).toMatchObject([{ id, settling_since }]);
  });

  it('counts in words', async () => {
    await offers(4);
    expect(ok(await business.decide('void')).message).toBe('Wager outcome updated: 1 bet still to settle');
  });

  it('is whole when it just reaches the bound', async () => {
    await offers(3);
    expect(ok(await business.decide('void')).message).toBe('Wager outcome updated');
    expect(await wager()).toMatchObject({ settling_since: null, settlement: { remaining: 0, state: 'settled' } });
    expect(await followUps()).toEqual([]);
  });

  it('is bounded in a batch too, each on its own', async () => {
    await offers(5);
    for (let made = 0; made < 4; made += 1) ok(await business.make('ann', 1, 2, { wager_reference: 'other' }));
    const decision = (reference: string) => ({
      operation_type: 'update_wager_outcome',
      operation_id: reference,
      data: { reference, outcome: 'push' },
    });
    const operations = [
      { operation_type: 'make_bet_offer', operation_id: 'one more', data: offer('bob', 1) },
      decision('match'),
      decision('other'),
    ];
    const { results } = ok(await business.client.post('/bets/batch', { operations }));
    expect(results.slice(1).map(({ message }: { message: string }) => message)).toEqual([
      'Wager outcome updated: 3 bets still to settle',
      'Wager outcome updated: 1 bet still to settle',
    ]);
    expect(await openBets()).toMatchObject({ data: [], total: 0, total_requesting_amount: 0 });
    expect((await followUps()).map(({ topic }) => topic)).toEqual(['settle-wager', 'settle-wager']);
  });

  it('of 0 leaves everything to the worker', async () => {
    await business.match('ann', 'bob', 10);
    await offers(1);
    const patient = await startTestApi(api.environment, { SETTLEMENT_BOUND: '0', ...NO_REDIS });
    try {
      const client = patient.client.as({ token: business.account.token });
      const answer = await client.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'win' });
      expect(ok(answer).message).toBe('Wager outcome updated: 2 bets still to settle');
      expect((await openBets()).total).toBe(0);
      expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 11 });
    } finally {
      await patient.close();
    }
  });
});

describe('a correction beyond the bound', () => {
  const force = async (outcome: string) => {
    const { id } = business.account;
    const body = { account_id: id, wager_reference: 'match', outcome };
    return ok(await admin.client.post('/admin/wagers/force-update-outcome', body), 200).message;
  };

  it('shows offers as they come back, and hides those that have to go again', async () => {
    const ids = await offers(5);
    expect(await force('win')).toBe('Wager outcome updated: 2 bets still to settle');
    expect((await openBets()).total).toBe(0);
    // Undone while the last two are still open: only the first three have to return.
    expect(await force('undecided')).toBe('Wager outcome updated');
    expect((await openBets()).data.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(await wager()).toMatchObject({ settling_since: null, settlement: { state: 'undecided' } });
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 5 });

    for (const outcome of ['loss', 'win']) await force(outcome);
    expect(await force('undecided')).toBe('Wager outcome updated: 2 bets still to settle');
    expect(await openBets()).toMatchObject({ total: 3, total_requesting_amount: 3 });
    expect(await wager()).toMatchObject({
      outcome: 'undecided',
      settlement: { bets: 0, settled: 0, remaining: 2, state: 'settling' },
    });
    expect((await followUps()).map(({ topic }) => topic)).toEqual([
      'settle-wager',
      'check-portfolios',
      'settle-wager',
      'check-portfolios',
      'settle-wager',
    ]);
  });

  it('moves a single bet at once, although its wager is still settling', async () => {
    for (let matched = 0; matched < 5; matched += 1) await business.match('ann', 'bob', 10);
    const last = await business.match('ann', 'bob', 10);
    ok(await business.decide('win'));
    expect((await business.moneyOf('ann')).balance).toBe(1030);
    ok(await business.override(last, 'loss'), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1020, exposure: 20 });
    ok(await admin.client.post(`/admin/bets/${last}/set-inactive`), 200);
    ok(await admin.client.post(`/admin/bets/${last}/set-active`), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1020, exposure: 20 });
    expect((await wager()).settlement).toEqual({ bets: 6, settled: 4, remaining: 2, state: 'settling' });
  });
});

describe('with a worker', () => {
  it('what was left is settled, as the wager then shows', async () => {
    for (let matched = 0; matched < 4; matched += 1) await business.match('ann', 'bob', 10);
    await offers(4);
    expect(ok(await business.decide('half-loss')).message).toBe('Wager outcome updated: 5 bets still to settle');
    const worker = await startTestWorker(api.environment);
    try {
      await waitFor(async () => (await wager()).settling_since === null);
      expect((await wager()).settlement).toEqual({ bets: 4, settled: 4, remaining: 0, state: 'settled' });
      expect(await business.moneyOf('ann')).toEqual({ balance: 980, exposure: 0 });
      // Once the worker has settled the bets of the other tests as well, the books must balance without exceptions.
      await waitFor(async () => {
        const left = await api.database.query('SELECT 1 FROM wagers WHERE settling_since IS NOT NULL');
        return left.length === 0;
      });
    } finally {
      await worker.close();
    }
  });
});
