import { beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, startTestWorker, type TestPart } from '../../testing/parts.js';
import { openTestBusiness } from '../../testing/test-business.js';
import { waitFor } from '../../testing/wait-for.js';
import { withTestEnvironment } from '../../testing/with-environment.js';
import { createLedgerClient, type LedgerClient } from './client.js';

// As docs/testing.md says it.

const environment = withTestEnvironment(async () => {
  await worker?.close();
  await api?.close();
});
let api: TestPart;
let worker: { close(): Promise<void> };
let business: LedgerClient;

beforeAll(async () => {
  api = await startTestApi(environment);
  worker = await startTestWorker(environment);
  business = (await openTestBusiness(api.client)).ledger;
});

const HOUR_S = 3_600;

describe('the client of a sandbox', () => {
  it('passes kick-off: the offer expires, the wager closes, the bet is settled, and the sandbox goes', async () => {
    const { data: made } = await business.post('/account/sandboxes', { body: { name: 'kick-off' } });
    const { baseUrl } = api.client;
    const sandbox = createLedgerClient({ baseUrl, apiKey: made.api_key, apiSecret: made.api_secret });
    for (const reference of ['ann', 'bob']) {
      await sandbox.post('/account/user', { body: { name: reference, reference } });
      await sandbox.post('/transactions/fund-user', { body: { user_reference: reference, amount: 100 } });
    }
    const closes_at = new Date(Date.now() + 2 * HOUR_S * 1_000).toISOString();
    await sandbox.put('/wagers/{reference}', { params: { path: { reference: 'home-win' } }, body: { closes_at } });
    const ann = { wager_reference: 'home-win', requesting_user_reference: 'ann', requesting_odds: 2.5 };
    await sandbox.post('/bets/make-offer', { body: { ...ann, requesting_amount: 10, expires_in: HOUR_S } });
    const bob = { wager_reference: 'home-win', accepting_user_reference: 'bob', maximum_odds: 3 };
    await sandbox.post('/bets/accept-offer', { body: { ...bob, accepting_amount: 4 } });

    const { data: moved } = await sandbox.post('/sandbox/clock', { body: { advance_s: 3 * HOUR_S } });
    expect(moved.ready).toBe(false);
    await waitFor(async () => (await sandbox.get('/sandbox/clock')).data.ready);
    await sandbox.post('/bets/update-wager-outcome', { body: { reference: 'home-win', outcome: 'win' } });
    const types = ['offer.expired', 'wager.closed', 'bet.settled'];
    const { data: events } = await sandbox.get('/events', { params: { query: { types: types.join() } } });
    expect(events.map(({ type }) => type).sort()).toEqual([...types].sort());

    await business.delete('/account/sandboxes/{id}', { params: { path: { id: made.id } } });
    const refused = sandbox.get('/sandbox/clock');
    await expect(refused).rejects.toMatchObject({ status: 401 });
    await waitFor(async () => (await business.get('/account/sandboxes')).data.length === 0);
  });
});
