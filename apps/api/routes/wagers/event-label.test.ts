import { describe, expect, it } from '@jest/globals';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api, { ann: 1000 });

const AT = '2026-01-15T18:00:00.123Z';
const put = (body: object, options?: object) => business.client.put('/wagers/match', body, options);
const readWager = async () => ok(await business.client.get('/wagers/match'), 200).data;

describe('the event of a wager', () => {
  it('makes the wager, moves, is left and is taken away, and no revision grows', async () => {
    const labels = { event: 'final', starts_at: AT };
    expect(ok(await put(labels), 200).data).toMatchObject({ reference: 'match', ...labels, revision: 0 });
    expect(ok(await put({ closes_at: '2099-01-15T18:00:00.000Z' }), 200).data).toMatchObject({
      ...labels,
      revision: 1,
    });
    expect(ok(await put({ ...labels }), 200).data).toMatchObject({ ...labels, revision: 1 });
    expect(await readWager()).toMatchObject(labels);
    expect(ok(await business.client.get('/wagers'), 200).data).toMatchObject([labels]);
    ok(await business.make('ann', 10));
    ok(await put({ event: 'semi-final' }), 200);
    ok(await put({ event: null, starts_at: null }), 200);
    expect(await readWager()).toMatchObject({ event: null, starts_at: null, revision: 1 });
    const { data } = ok(await business.client.get('/events?types=wager.changed'), 200);
    const identity = { id: expect.any(Number), reference: 'match' };
    expect(data.map(({ wager }: { wager: object }) => wager)).toEqual([
      { ...identity, event: 'final', starts_at: '2026-01-15T18:00:00.123000Z' },
      { ...identity, closes_at: '2099-01-15T18:00:00.000000Z' },
      { ...identity, event: 'semi-final' },
      { ...identity, event: null, starts_at: null },
    ]);
  });

  it('may change after the decision, which a closing time may not', async () => {
    ok(await business.make('ann', 10));
    ok(await business.decide('win'));
    expect(ok(await put({ event: 'final' }), 200).data).toMatchObject({ event: 'final', outcome: 'win' });
    const refused = { status: 400, error: 'Wager is decided' };
    expect((await put({ event: 'other', closes_at: null })).body).toEqual(refused);
    expect((await put({})).body).toEqual(refused);
    expect(await readWager()).toMatchObject({ event: 'final', outcome: 'win' });
  });

  it('is kept with its key: the same request again changes nothing', async () => {
    const keyed = { headers: { 'Idempotency-Key': 'one' } };
    const first = ok(await put({ event: 'final' }, keyed), 200);
    ok(await put({ event: 'other' }), 200);
    expect(ok(await put({ event: 'final' }, keyed), 200)).toEqual(first);
    expect(await readWager()).toMatchObject({ event: 'other' });
    expect((await put({ event: null }, keyed)).status).toBe(422);
  });

  it.each([
    { event: '' },
    { event: 7 },
    { event: 'a,b' },
    { event: 'a\nb' },
    { event: 'x'.repeat(256) },
    { starts_at: 'soon' },
    { starts_at: 17 },
    { starts_at: '9999-01-01' },
    { event: 'final', starts: AT },
    { event: 'final', closes_at: AT },
  ])('is refused as %j, and no wager is made', async (body) => {
    expect((await put(body)).status).toBe(400);
    expect((await business.client.get('/wagers/match')).status).toBe(404);
  });
});
