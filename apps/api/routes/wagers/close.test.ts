import { describe, expect, it } from '@jest/globals';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api, { ann: 1000 });

const close = (body?: object) => business.client.post('/wagers/match/close', body);

describe('closing a wager', () => {
  it('is for good', async () => {
    ok(await business.make('ann', 10));
    const { message, data } = ok(await close({ reason: 'Kick-off' }), 200);
    expect(message).toBe('Wager closed');
    expect(data).toMatchObject({ status: 'closed', status_reason: 'Kick-off', revision: 1 });
    expect(ok(await close(), 200).data).toEqual(data);
    expect((await business.make('ann', 10)).body).toEqual({ status: 400, error: 'Wager is closed' });
    ok(await business.decide('win'));
    expect((await close()).body).toEqual({ status: 400, error: 'Wager is decided' });
  });

  it('refuses an unknown wager and a field that it does not know', async () => {
    expect((await close()).body).toEqual({ status: 404, error: 'Wager not found' });
    ok(await business.make('ann', 10));
    expect((await close({ cancel_offers: true })).body.message).toEqual(['property cancel_offers should not exist']);
  });
});
