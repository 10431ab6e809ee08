import { expect, it } from '@jest/globals';
import pg from 'pg';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { waitForWork } from '../checks/check-all.js';
import { checkWebhooks } from '../checks/stored/check-webhooks.js';
import { WebhookReceivers } from './webhook-receivers.js';

const api = withTestApi({ hasWorker: true, settings: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });

const MODES = ['ordered', 'keyed', 'doorbell'] as const;
const WAGERS = ['one', 'two', 'three'];
const BETS_OF_WAGER = 4;
const PATIENCE_MS = 30_000;

/** Commits with one event, and with many: a decision settles all bets of its wager. */
async function fillLog(business: TestBusiness): Promise<void> {
  await business.user('ann');
  await business.user('bob');
  await Promise.all(
    WAGERS.map(async (wager_reference) => {
      for (let bet = 0; bet < BETS_OF_WAGER; bet += 1) {
        ok(await business.make('ann', 10, 2, { wager_reference }));
        ok(await business.accept('bob', 10, { wager_reference }));
      }
      ok(await business.decide('win', wager_reference));
    }),
  );
}

it('the receivers of webhooks get what the checks of a storm ask for, in each mode', async () => {
  const receivers = new WebhookReceivers({ seed: 1, finishing: AbortSignal.abort() });
  const database = new pg.Pool({ connectionString: api.database.url, max: 1 });
  try {
    const business = await openTestBusiness(api.client);
    const { id } = business.account;
    const { token } = business.account;
    for (const mode of MODES) {
      const known = { account: { id, name: 'a business' }, token };
      await receivers.subscribe({ known, mode, apiUrl: api.client.baseUrl });
    }
    await fillLog(business);
    const late = await waitForWork(database, PATIENCE_MS);
    const { findings } = await checkWebhooks({ webhooks: receivers.records }, database);
    expect([...late, ...findings]).toEqual([]);
    const came = receivers.records.map(({ requests }) => requests.length);
    // Each bet of a wager has at least an offer, a match and a settlement.
    const least = WAGERS.length * BETS_OF_WAGER * 3;
    const [ordered = 0, keyed = 0, rings = 0] = came;
    expect(Math.min(ordered, keyed)).toBeGreaterThan(least);
    expect(rings).toBeGreaterThan(0);
  } finally {
    await receivers.close();
    await database.end();
  }
});
