import { beforeEach, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { fundUsers, openSandbox, type TestSandbox } from '#testing/sandboxes.js';
import { acceptance, offer, offerBatch, ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

// A decision leaves all bets but one to the worker.
const api = withTestApi({ isAudited: true, hasWorker: true, settings: { SETTLEMENT_BOUND: '1' } });
let business: LoggedIn;
let sandbox: TestSandbox;

beforeEach(async () => {
  business = await registerAndLogIn(api.client);
  sandbox = await openSandbox(business.client);
  await fundUsers(sandbox.client);
});

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const move = (body: unknown, options?: object) => sandbox.client.post('/sandbox/clock', body, options);
const clock = async () => ok(await sandbox.client.get('/sandbox/clock'), 200).data;
const aheadMs = async () => Date.parse((await clock()).now) - Date.now();
const wager = async () => ok(await sandbox.client.get('/wagers/match'), 200).data;

describe('the clock of a sandbox', () => {
  it('shows the time of PostgreSQL until it is moved, and then goes on from there', async () => {
    expect(Math.abs(await aheadMs())).toBeLessThan(HOUR_MS / 60);
    const { data } = ok(await move({ advance_s: 86_400 }), 202);
    expect(data).toEqual({ now: expect.any(String), ready: true });
    const later = await clock();
    expect(Date.parse(later.now)).toBeGreaterThanOrEqual(Date.parse(data.now));
    expect(Math.abs((await aheadMs()) - 24 * HOUR_MS)).toBeLessThan(HOUR_MS / 60);
    const to = inHours(48);
    expect(ok(await move({ now: to }), 202).data.now).toBe(to);
    expect(ok(await business.client.get('/account/sandboxes'), 200).data[0].now > to).toBe(true);
  });

  it.each([
    [{}],
    [{ advance_s: null }],
    [{ advance_s: 60, now: '2099-01-15T18:00:00Z' }],
    [{ advance_s: 0 }],
    [{ advance_s: -1 }],
    [{ advance_s: 1.5 }],
    [{ advance_s: '60' }],
    [{ advance_s: 315_360_001 }],
    [{ now: '2020-01-15T18:00:00Z' }],
    [{ now: 'tomorrow' }],
    [{ now: 4_102_444_800 }],
    [{ now: '9998-01-15T18:00:00Z' }],
    [{ seconds: 60 }],
    [[]],
  ])('stays where it is after %j, which is refused', async (body) => {
    expect((await move(body)).status).toBe(400);
    expect(Math.abs(await aheadMs())).toBeLessThan(HOUR_MS / 60);
  });

  it('goes forward only, and at most ten years in all', async () => {
    ok(await move({ advance_s: 7_200 }), 202);
    const backward = 'The clock of a sandbox only goes forward: now must be later than the time of the sandbox';
    expect((await move({ now: inHours(1) })).body).toEqual({ status: 400, error: backward });
    expect((await move({ advance_s: 315_360_000 })).body).toEqual({
      status: 400,
      error: 'The clock of a sandbox may be at most 3650 days ahead',
    });
    ok(await move({ advance_s: 315_352_800 }), 202);
    expect((await move({ advance_s: 1 })).status).toBe(400);
  });

  it('adds up moves that come at once, and does one that is sent again with its key once', async () => {
    const moves = [100, 200, 400, 800].map((hours) => move({ advance_s: hours * 3_600 }));
    for (const answer of await Promise.all(moves)) ok(answer, 202);
    const keyed = { headers: { 'Idempotency-Key': 'one move' } };
    const first = ok(await move({ advance_s: 3_600 }, keyed), 202);
    expect(ok(await move({ advance_s: 3_600 }, keyed), 202)).toEqual(first);
    expect(Math.round((await aheadMs()) / HOUR_MS)).toBe(1_501);
  });

  it('is not one of a business', async () => {
    const error = 'Only a sandbox has a clock of its own: make one with POST /account/sandboxes';
    const refused = { status: 400, error };
    expect((await business.client.get('/sandbox/clock')).body).toEqual(refused);
    expect((await business.client.post('/sandbox/clock', { advance_s: 60 })).body).toEqual(refused);
    const rows = await api.database.query('SELECT FROM accounts WHERE sandbox_of IS NULL AND clock_ahead <> 0');
    expect(rows).toEqual([]);
  });

  it('closes a wager and expires offers when it passes their times, and no others', async () => {
    const closing = async () => ok(await sandbox.client.get('/wagers?closing=true'), 200).total;
    ok(await sandbox.client.put('/wagers/match', { closes_at: inHours(2) }), 200);
    ok(await business.client.put('/wagers/match', { closes_at: inHours(2) }), 200);
    ok(await sandbox.client.post('/bets/make-offer', offer('ann', 10, 2, { expires_in: 3_600 })));
    ok(await sandbox.client.post('/bets/make-offer', offer('ann', 20, 2, { expires_in: 360_000 })));
    ok(await move({ advance_s: 3_600 }), 202);
    expect(ok(await sandbox.client.get('/wagers/match/book'), 200).open_offers).toBe(1);
    await waitFor(async () => (await clock()).ready);
    expect(await wager()).toMatchObject({ status: 'open' });
    expect(await closing()).toBe(1);
    expect((await move({ advance_s: 3_600 })).body.data.ready).toBe(false);
    expect(await closing()).toBe(0);
    expect(await wager()).toMatchObject({ status: 'closed' });
    const closed = { status: 400, error: 'Wager is closed' };
    expect((await sandbox.client.post('/bets/accept-offer', acceptance('bob', 5))).body).toEqual(closed);
    await sandbox.advance({ advance_s: 1 });
    const { data } = ok(await sandbox.client.get('/events?types=wager.closed,offer.expired'), 200);
    expect(data.map(({ type }: { type: string }) => type)).toEqual(['offer.expired', 'wager.closed']);
    const real = ok(await business.client.get('/wagers/match'), 200).data;
    expect(real).toMatchObject({ status: 'open' });
  });

  it('is the time of new offers and matches', async () => {
    await sandbox.advance({ advance_s: 36_000 });
    const past = await sandbox.client.post('/bets/make-offer', offer('ann', 10, 2, { expires_at: inHours(9) }));
    expect(past.body.message).toEqual(['expires_at must be in the future']);
    const made = ok(await sandbox.client.post('/bets/make-offer', offer('ann', 10, 2, { expires_in: 7_200 })));
    ok(await sandbox.client.post('/bets/accept-offer', acceptance('bob', 10)));
    const { expires_at, accepted_at, created_at } = ok(await sandbox.client.get(`/bets/${made.data.bet_id}`), 200).data;
    expect(Math.round((Date.parse(expires_at) - Date.now()) / HOUR_MS)).toBe(12);
    expect(Math.round((Date.parse(accepted_at) - Date.now()) / HOUR_MS)).toBe(10);
    expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(HOUR_MS / 60);
  });

  it('is ready only when the worker has settled what was decided', async () => {
    ok(await sandbox.client.post('/bets/batch', offerBatch('ann', 'match')));
    ok(await sandbox.client.post('/bets/accept-offer', acceptance('bob', 20)));
    ok(await sandbox.client.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'win' }));
    const isReady = async () => {
      const { ready } = await clock();
      const [row] = await api.database.query(
        'SELECT count(*)::int AS left FROM wagers WHERE account_id = $1 AND settling_since IS NOT NULL',
        [sandbox.id],
      );
      return { ready, left: row?.left };
    };
    await sandbox.advance({ advance_s: 1 });
    expect(await isReady()).toEqual({ ready: true, left: 0 });
    const users = ok(await sandbox.client.get('/account/user'), 200).data.items;
    expect(users.map(({ balance }: { balance: number }) => balance).sort()).toEqual([1_020, 980]);
  });
});
