import { describe, expect, it } from '@jest/globals';
import { ok, openTestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true, hasWorker: true });
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });

const suspend = (body?: object, options?: object) => business.client.post('/wagers/match/suspend', body, options);
const readWager = async () => ok(await business.client.get('/wagers/match'), 200).data;
const eventsOf = async (type: string) => ok(await business.client.get(`/events?types=${type}`), 200).data;

describe('suspending a wager', () => {
  it('answers with the wager, as the list shows it, and refuses offers and acceptances from then on', async () => {
    const { bet_id } = ok(await business.make('ann', 10)).data;
    const { message, data } = ok(await suspend({ reason: 'Goal' }), 200);
    expect(message).toBe('Wager suspended');
    expect(data).toMatchObject({ reference: 'match', status: 'suspended', status_reason: 'Goal', revision: 1 });
    expect(ok(await business.client.get('/wagers'), 200).data).toEqual([data]);
    const refused = { status: 400, error: 'Wager is suspended' };
    expect((await business.make('ann', 10)).body).toEqual(refused);
    expect((await business.accept('bob', 10)).body).toEqual(refused);
    expect((await business.accept('bob', 10, { bet_id })).body).toEqual(refused);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 10 });
    const [event] = await eventsOf('wager.suspended');
    expect(event).toMatchObject({ reason: 'Goal', wager: { reference: 'match' } });
  });

  it('does nothing the second time, and lets cancel and decide go on', async () => {
    ok(await business.make('ann', 10));
    ok(await business.make('ann', 20));
    const { data: first } = ok(await suspend(), 200);
    expect(ok(await suspend({ reason: 'again' }), 200).data).toEqual(first);
    ok(await business.cancel('ann', { cancel_amount: 10 }));
    ok(await business.decide('win'));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
    expect(await readWager()).toMatchObject({ status: 'suspended', revision: 2 });
  });

  it('cancels the offers that ask for it, and all when told to', async () => {
    ok(await business.make('ann', 10));
    const { bet_id } = ok(await business.make('ann', 20, 2, { persistence: 'cancel_on_suspend' })).data;
    ok(await suspend(), 200);
    expect(ok(await business.client.get('/bets/open-bets'), 200).data).toHaveLength(1);
    await waitFor(async () => (await business.moneyOf('ann')).exposure === 10);
    ok(await suspend({ cancel_offers: true }), 200);
    expect(ok(await business.client.get('/bets/open-bets'), 200).data).toEqual([]);
    expect(ok(await business.client.get('/wagers/match/book'), 200).levels).toEqual([]);
    await waitFor(async () => (await business.moneyOf('ann')).exposure === 0);
    expect(await business.bet(bet_id)).toMatchObject({ offer_status: 'canceled' });
    const events = await eventsOf('offer.canceled,wager.canceling');
    expect(events.map(({ type, reason }: { type: string; reason: string }) => [type, reason])).toEqual([
      ['wager.canceling', 'suspended'],
      ['offer.canceled', 'suspended'],
      ['wager.canceling', 'suspended'],
      ['offer.canceled', 'suspended'],
    ]);
    expect(events[0].canceling).toMatchObject({ user_id: null, only_on_suspend: true });
  });

  it('keeps the answer for its key', async () => {
    ok(await business.make('ann', 10));
    const keyed = { headers: { 'Idempotency-Key': 'one' } };
    const first = await suspend({ reason: 'Goal' }, keyed);
    ok(await business.client.post('/wagers/match/resume'), 200);
    expect((await suspend({ reason: 'Goal' }, keyed)).body).toEqual(first.body);
    expect(await readWager()).toMatchObject({ status: 'open' });
    expect((await suspend({ reason: 'Foul' }, keyed)).status).toBe(422);
  });

  it.each([
    [{ reason: '' }, 'reason should not be empty'],
    [{ reason: 'x'.repeat(201) }, 'reason must be shorter than or equal to 200 characters'],
    [{ cancel_offers: 'yes' }, 'cancel_offers must be a boolean value'],
    [{ more: 1 }, 'property more should not exist'],
  ])('refuses %j', async (body, fault) => {
    ok(await business.make('ann', 10));
    const answer = await suspend(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(expect.arrayContaining([fault]));
    expect(await readWager()).toMatchObject({ status: 'open' });
  });

  it('is of the own account alone', async () => {
    ok(await business.make('ann', 10));
    const other = await openTestBusiness(api.client);
    const answer = await other.client.post('/wagers/match/suspend');
    expect(answer.body).toEqual({ status: 404, error: 'Wager not found' });
    expect(await readWager()).toMatchObject({ status: 'open' });
  });

  it('may stand in a batch with what it stops', async () => {
    const operation = (operation_type: string, data: object, index: number) => ({
      operation_type,
      operation_id: `${index}`,
      data,
    });
    ok(await business.make('ann', 10));
    const named = { wager_reference: 'match' };
    const { results } = ok(
      await business.client.post('/bets/batch', {
        operations: [operation('suspend_wager', named, 1), operation('close_wager', named, 2)],
      }),
    );
    expect(results.map(({ data }: { data: { status: string } }) => data.status)).toEqual(['suspended', 'closed']);
    const refused = await business.client.post('/bets/batch', { operations: [operation('resume_wager', named, 1)] });
    expect(refused.body).toMatchObject({ status: 400, error: "operation '1': Wager is closed" });
  });
});
