import { afterEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });

afterEach(() => expectBooksToBalance(api.database));

const close = (body?: object) => business.client.post('/wagers/match/close', body);

describe('closing a wager', () => {
  it('is for good: offers stay to be canceled, and the decision expires the others', async () => {
    ok(await business.make('ann', 10));
    ok(await business.make('ann', 20));
    const { message, data } = ok(await close({ reason: 'Kick-off' }), 200);
    expect(message).toBe('Wager closed');
    expect(data).toMatchObject({ status: 'closed', status_reason: 'Kick-off', revision: 1 });
    expect(ok(await close(), 200).data).toEqual(data);
    const refused = { status: 400, error: 'Wager is closed' };
    expect((await business.make('ann', 10)).body).toEqual(refused);
    expect((await business.accept('bob', 10)).body).toEqual(refused);
    expect((await business.client.post('/wagers/match/suspend')).body).toEqual(refused);
    ok(await business.cancel('ann', { cancel_amount: 10 }));
    ok(await business.decide('win'));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect((await close()).body).toEqual({ status: 400, error: 'Wager is decided' });
  });

  it('refuses an unknown wager and a field that it does not know', async () => {
    expect((await close()).body).toEqual({ status: 404, error: 'Wager not found' });
    ok(await business.make('ann', 10));
    expect((await close({ cancel_offers: true })).body.message).toEqual(['property cancel_offers should not exist']);
  });
});
