import { describe, expect, it } from '@jest/globals';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api, { ann: 1000 });

const change = (verb: string) => business.client.post(`/wagers/match/${verb}`);

describe('resuming a wager', () => {
  it('opens it again, without a reason', async () => {
    ok(await business.make('ann', 10));
    ok(await change('suspend'), 200);
    const { message, data } = ok(await change('resume'), 200);
    expect([message, data.status, data.status_reason]).toEqual(['Wager resumed', 'open', null]);
  });

  it('leaves an open wager as it is, and refuses closed, decided and unknown ones', async () => {
    expect((await change('resume')).body).toEqual({ status: 404, error: 'Wager not found' });
    ok(await business.make('ann', 10));
    expect(ok(await change('resume'), 200).data).toMatchObject({ status: 'open', revision: 0 });
    ok(await change('close'), 200);
    const closed = { status: 400, error: 'Wager is closed' };
    expect((await change('resume')).body).toEqual(closed);
    ok(await business.decide('win'));
    expect((await change('resume')).body).toEqual(closed);
  });
});
