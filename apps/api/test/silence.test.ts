import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { registerAndLogIn } from '#testing/client.js';
import {
  expectNothingLostOrDoubled,
  isUnknown,
  offerContinuously,
  openOfferingBusinesses,
} from '#testing/continuous-offers.js';
import { holding } from '#testing/databases.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { mailsInFolder } from '#testing/mails.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { openProxiedServices, type ProxiedServices } from '#testing/proxied-services.js';
import { type Clock, startClock, unlessStandingStill } from '#testing/standstills.js';
import { ok, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';

// The network drops all packets of the connections that are open now. Nothing is closed, and new connections work.

/** Shorter than in production, so that the tests are; all other time-outs are parts of it. */
const DEADLINE_MS = 4_000;
/** The API answers at its deadline; then the answer must get through. */
const MARGIN_MS = 1_000;
/** By then `/readyz` knows that nothing is served. */
const NOTICED_MS = 3_000;
const REDIS_BACK_WITHIN_MS = 10_000;
/** Above the time at rest, for other work of the machine; an offer that waited for Redis would take half a second more. */
const SOME_MS = 300;

let environment: TestEnvironment;
let services: ProxiedServices;
let api: TestPart;
let businesses: TestBusiness[];
let clock: Clock;

beforeEach(async () => {
  environment = await createTestEnvironment();
  clock = startClock(environment.database);
  services = await openProxiedServices(environment);
  api = await startTestApi(environment, {
    ...services.settings,
    REQUEST_DEADLINE: `${DEADLINE_MS}ms`,
  });
  businesses = await openOfferingBusinesses(api.client);
});

afterEach(async () => {
  await api?.close();
  services?.close();
  await clock?.stop();
  await environment?.close();
});

/** Asks `/readyz` until `stop`; returns the statuses with their times. */
function watchReadiness() {
  const seen: { readonly at: number; readonly status: number }[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const { status } = await api.client.get('/readyz');
      seen.push({ at: clock.now(), status });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    seen,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

const shareOf = (times: readonly number[], share: number) =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length * share)] ?? 0;

describe.each(['both directions', 'answers'] as const)('connections to PostgreSQL that go silent: %s', (silence) => {
  it('are given up: every account is served again, and meanwhile every answer is a 503 in time', async () => {
    const load = offerContinuously(businesses, { clock });
    const readiness = watchReadiness();
    await waitFor(() => load.offers.length > 200);
    const since = clock.now();
    services.postgres.silence(silence);
    const served = await waitFor(
      () => {
        const found = load.servedSince(since);
        return found.every((offer) => offer !== undefined) && found;
      },
      { timeoutMs: 3 * DEADLINE_MS, clock },
    );
    await Promise.all([load.stop(), readiness.stop()]);
    const servedAt = served.map((offer) => (offer?.startedAt ?? 0) + (offer?.tookMs ?? 0) - since);
    const slowest = Math.max(...load.offers.map(({ tookMs }) => tookMs));
    const refused = load.offers.filter(({ answer }) => answer.status !== 201);
    expect(Math.max(...servedAt)).toBeLessThan(DEADLINE_MS + MARGIN_MS);
    expect(slowest).toBeLessThan(DEADLINE_MS + MARGIN_MS);
    for (const offer of refused) {
      expect(offer.answer.status).toBe(503);
      if (!isUnknown(offer)) expect(offer.answer.headers.get('retry-after')).toBe('1');
    }
    const noticedAt = since + NOTICED_MS;
    const ends = load.offers.map(({ startedAt, tookMs }) => startedAt + tookMs);
    const nextAnswerAt = Math.min(...ends.filter((at) => at > noticedAt));
    const unserved = readiness.seen.filter(({ at }) => at > noticedAt && at < nextAnswerAt);
    expect(unserved.filter(({ status }) => status === 200)).toEqual([]);
    await expectNothingLostOrDoubled(environment.database, load);
  });

  it('leave no locks behind', () =>
    unlessStandingStill(async (own) => {
      const [business] = businesses as [TestBusiness];
      const balanceOfAnn = `SELECT b.* FROM balances b JOIN users u ON u.account_id = b.account_id AND u.id = b.user_id
        WHERE u.reference = 'ann' ORDER BY b.account_id LIMIT 1 FOR UPDATE OF b`;
      await holding(environment.database, balanceOfAnn, async (release) => {
        const waiting = business.make('ann', 7);
        const inState = async (state: string) =>
          environment.database.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'betting-ledger' AND ${state}`,
          );
        await waitFor(async () => (await inState(`wait_event_type = 'Lock'`)).length > 0, { timeoutMs: DEADLINE_MS });
        services.postgres.silence(silence);
        const since = own.now();
        // The API's transaction gets the lock, and its answer is lost: a half-open connection holds the balance now.
        await release();
        await waitFor(async () => (await inState(`state = 'idle in transaction'`)).length > 0, {
          timeoutMs: DEADLINE_MS,
        });
        expect((await waiting).status).toBe(503);
        const answer = await waitFor(
          async () => {
            const tried = await business.make('ann', 8);
            return tried.status === 201 && tried;
          },
          { timeoutMs: 3 * DEADLINE_MS },
        );
        expect(own.now() - since).toBeLessThan(2 * DEADLINE_MS);
        expect(answer.status).toBe(201);
        await expectBooksToBalance(environment.database);
      });
    }, environment.database));
});

describe.each(['both directions', 'answers'] as const)('connections to Redis that go silent: %s', (silence) => {
  const offersFor = async (business: TestBusiness, ms: number) => {
    const until = performance.now() + ms;
    const times: number[] = [];
    while (performance.now() < until) {
      const startedAt = clock.now();
      ok(await business.make('ann', 1));
      times.push(clock.now() - startedAt);
    }
    return times;
  };

  it('do not touch bets; limits are shared again, and mails are sent, in time', async () => {
    const [business] = businesses as [TestBusiness];
    const worker = await startTestWorker(environment);
    try {
      await offersFor(business, 500);
      const atRest = await offersFor(business, 2_000);
      await environment.emptyRedis();
      services.redis.silence(silence);
      const since = clock.now();
      const late = registerAndLogIn(api.client);
      const limitsBack = waitFor(
        async () => {
          await api.client.post('/auth/login/account', { email: 'nobody@example.com', password: 'wrong password' });
          return (await environment.dumpRedis()).includes(':limit:login-here');
        },
        { timeoutMs: REDIS_BACK_WITHIN_MS, clock },
      );
      const times = await offersFor(business, 6_000);
      const { email } = await late;
      await waitFor(async () => (await mailsInFolder(`${environment.folder}/mail`)).some(({ to }) => to === email), {
        timeoutMs: REDIS_BACK_WITHIN_MS - (clock.now() - since),
        clock,
      });
      await limitsBack;
      // Counts are shared from 200 requests in ten seconds on.
      await waitFor(async () => {
        await Promise.all([offersFor(business, 200), offersFor(business, 200)]);
        return (await environment.dumpRedis()).includes(':limit:requests:account');
      });
      expect(shareOf(times, 0.9)).toBeLessThan(shareOf(atRest, 0.9) + SOME_MS);
      await expectBooksToBalance(environment.database);
    } finally {
      await worker.close();
    }
  });
});
