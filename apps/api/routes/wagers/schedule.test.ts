import { describe, expect, it } from '@jest/globals';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// No worker runs here: what passes, passes by the clock of PostgreSQL alone.
const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });

const FUTURE = '2099-01-15T18:00:00.123Z';
const put = (body: object, options?: object) => business.client.put('/wagers/match', body, options);
const readWager = async () => ok(await business.client.get('/wagers/match'), 200).data;
/** As if the time of the wager had come. */
const passTime = () =>
  api.database.query(`UPDATE wagers SET closes_at = now() WHERE closes_at IS NOT NULL AND account_id = $1`, [
    business.account.id,
  ]);

describe('the time at which a wager closes', () => {
  it('makes the wager, moves, is left and is taken away', async () => {
    const body = ok(await put({ closes_at: FUTURE }), 200);
    expect(body).toEqual({
      data: expect.objectContaining({ reference: 'match', status: 'open', closes_at: FUTURE, revision: 1 }),
    });
    expect(ok(await put({}), 200)).toEqual(body);
    expect(await readWager()).toMatchObject({ closes_at: FUTURE, revision: 1 });
    expect(ok(await put({ closes_at: null }), 200).data).toMatchObject({ closes_at: null, revision: 2 });
    const { data } = ok(await business.client.get('/events?types=wager.*'), 200);
    const told = data.map(({ type, wager }: { type: string; wager: { closes_at?: string } }) => [
      type,
      wager.closes_at,
    ]);
    expect(told).toEqual([
      ['wager.created', undefined],
      ['wager.changed', '2099-01-15T18:00:00.123000Z'],
      ['wager.changed', null],
    ]);
  });

  it('is kept to the millisecond up to the last year', async () => {
    const last = '9998-12-31T23:59:59.999Z';
    expect(ok(await put({ closes_at: last }), 200).data.closes_at).toBe(last);
    expect(await readWager()).toMatchObject({ closes_at: last });
    expect(ok(await put({ closes_at: last }), 200).data).toMatchObject({ revision: 1 });
    const { data } = ok(await business.client.get('/events?types=wager.changed'), 200);
    expect(data.map(({ wager }: { wager: { closes_at: string } }) => wager.closes_at)).toEqual([
      '9998-12-31T23:59:59.999000Z',
    ]);
  });

  it('closes the wager for every request and reader before any worker has run', async () => {
    ok(await business.make('ann', 10));
    ok(await put({ closes_at: FUTURE }), 200);
    ok(await business.client.post('/wagers/match/suspend', { reason: 'Goal' }), 200);
    await passTime();
    const shown = { status: 'closed', status_reason: null };
    expect(await readWager()).toMatchObject(shown);
    expect(ok(await business.client.get('/wagers'), 200).data).toMatchObject([shown]);
    expect(ok(await put({}), 200).data).toMatchObject(shown);
    const refused = { status: 400, error: 'Wager is closed' };
    expect((await business.make('ann', 10)).body).toEqual(refused);
    expect((await business.accept('bob', 10)).body).toEqual(refused);
    expect((await business.client.post('/wagers/match/resume')).body).toEqual(refused);
    expect((await put({ closes_at: null })).body).toEqual(refused);
    expect((await put({ closes_at: FUTURE })).body).toEqual(refused);
    ok(await business.cancel('ann', { cancel_all: true }));
    ok(await business.decide('win'));
    expect((await put({})).body).toEqual({ status: 400, error: 'Wager is decided' });
  });

  it('is null for a key as another value than none', async () => {
    const keyed = { headers: { 'Idempotency-Key': 'one' } };
    ok(await put({ closes_at: null }, keyed), 200);
    expect((await put({}, keyed)).status).toBe(422);
  });

  it.each([
    ['2020-01-15T18:00:00Z', 'closes_at must be in the future'],
    ['soon', 'closes_at must be a timestamp or an ISO 8601 date'],
    [17, 'closes_at must be a timestamp or an ISO 8601 date'],
    ['9999-01-01', 'closes_at must not be after the year 9998'],
  ])('is refused when it is %j, for its key too', async (closes_at, fault) => {
    const keyed = { headers: { 'Idempotency-Key': 'one' } };
    const answer = await put({ closes_at }, keyed);
    expect(answer.body).toEqual({ message: [fault], error: 'Bad Request', statusCode: 400 });
    expect((await put({ closes_at }, keyed)).body).toEqual(answer.body);
    expect((await business.client.get('/wagers/match')).status).toBe(404);
  });
});
