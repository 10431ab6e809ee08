import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { registerAndLogIn } from '#testing/client.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { isLongForm } from '#testing/long-form.js';
import { mailsInFolder } from '#testing/mails.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { openProxiedServices, type ProxiedServices } from '#testing/proxied-services.js';
import { isSettling, seedAcceptedBets, settledCount, settledOnce, settlementsOf } from '#testing/seeded-wagers.js';
import { type Clock, startClock } from '#testing/standstills.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';

// The network drops all packets of the worker's open connections. Nothing is closed, and new connections work.

const BETS = 6_000;
const POSTGRES_BACK_WITHIN_MS = 30_000;
const REDIS_BACK_WITHIN_MS = 10_000;
/** Without progress for so long, the worker waits. */
const STILL_MS = 500;

let environment: TestEnvironment;
let services: ProxiedServices;
let api: TestPart;
let worker: { close(): Promise<void> };
let business: TestBusiness;
let clock: Clock;

beforeEach(async () => {
  environment = await createTestEnvironment();
  clock = startClock(environment.database);
  services = await openProxiedServices(environment);
  api = await startTestApi(environment, { SETTLEMENT_BOUND: '50' });
  worker = await startTestWorker(environment, { ...services.settings, SETTLEMENT_CHUNK: '200' });
  business = await openTestBusiness(api.client);
  const { id } = business.account;
  await seedAcceptedBets(environment.database, { accountId: id, bets: BETS, name: 'large' });
});

afterEach(async () => {
  await worker?.close();
  await api?.close();
  services?.close();
  await clock?.stop();
  await environment?.close();
});

const settled = () => settledCount(environment.database, 'large1');

/** Resolves when the worker is in the middle of the settlement. */
async function beginSettlement(): Promise<void> {
  ok(await business.decide('win', 'large1'));
  await waitFor(async () => (await settled()) >= 400);
}

async function expectToSettleAgain(withinMs: number): Promise<void> {
  const since = clock.now();
  let [before, now] = [-1, await settled()];
  expect(now).toBeLessThan(BETS); // or the settlement was over before the silence
  // What was under way ends first.
  while (now !== before) {
    await new Promise((resolve) => setTimeout(resolve, STILL_MS));
    [before, now] = [now, await settled()];
  }
  const timeoutMs = withinMs - (clock.now() - since);
  await waitFor(async () => (await settled()) > Math.min(now, BETS - 1), { timeoutMs, clock });
}

async function expectToEndWell(): Promise<void> {
  await waitFor(async () => !(await isSettling(environment.database, 'large1')), { timeoutMs: 60_000 });
  expect(await settlementsOf(environment.database, 'large1')).toEqual(settledOnce(BETS));
  await expectBooksToBalance(environment.database);
}

/** A lost answer is the harder case: the work was done. */
const SILENCES = isLongForm ? (['answers', 'both directions'] as const) : (['answers'] as const);

describe.each(SILENCES)('a worker whose connections go silent: %s', (silence) => {
  it('to PostgreSQL settles on within half a minute, every bet once', async () => {
    await beginSettlement();
    services.postgres.silence(silence);
    await expectToSettleAgain(POSTGRES_BACK_WITHIN_MS);
    await expectToEndWell();
  });

  it('to Redis settles on and sends mails within ten seconds', async () => {
    await beginSettlement();
    services.redis.silence(silence);
    const { email } = await registerAndLogIn(api.client);
    const isMailed = async () => (await mailsInFolder(`${environment.folder}/mail`)).some(({ to }) => to === email);
    const mailed = waitFor(isMailed, { timeoutMs: REDIS_BACK_WITHIN_MS, clock });
    await Promise.all([mailed, expectToSettleAgain(REDIS_BACK_WITHIN_MS)]);
    await expectToEndWell();
  });
});
