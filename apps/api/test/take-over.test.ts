import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  expectNothingLostOrDoubled,
  isUnknown,
  type Offer,
  offerContinuously,
  openOfferingBusinesses,
} from '#testing/continuous-offers.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { openTestPair, type TestPair } from '#testing/postgres-pair.js';
import { type Clock, startClock } from '#testing/standstills.js';
import type { TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';

/** Shorter than in production, so that the test is; all other time-outs are parts of it. */
const DEADLINE_MS = 4_000;
/** Of a busy machine: with the deadline, the promised ten seconds. */
const MARGIN_MS = 6_000;

let environment: TestEnvironment;
let pair: TestPair;
let api: TestPart;
let businesses: TestBusiness[];
let clock: Clock;

beforeEach(async () => {
  environment = await createTestEnvironment();
  clock = startClock(environment.database);
  pair = await openTestPair(environment);
  api = await startTestApi(environment, {
    DATABASE_URL: pair.url,
    REQUEST_DEADLINE: `${DEADLINE_MS}ms`,
    RATE_LIMITS: 'off',
  });
  businesses = await openOfferingBusinesses(api.client);
});

afterEach(async () => {
  await api?.close();
  await pair?.stop();
  await clock?.stop();
  await environment?.close();
});

describe('PostgreSQL is killed for good, and its standby takes over', () => {
  it('every account is served again in time, and nothing acknowledged is lost: twice, the second time with silence', async () => {
    const offers: Offer[] = [];
    for (const silence of [undefined, 'both directions'] as const) {
      const load = offerContinuously(businesses, { clock, amountsUsed: offers.length });
      await waitFor(() => load.offers.length > 100);
      await pair.servers.takeOver(silence);
      const movedAt = clock.now();
      const served = await waitFor(
        () => {
          const found = load.servedSince(movedAt);
          return found.every((offer) => offer !== undefined) && found;
        },
        { timeoutMs: DEADLINE_MS + MARGIN_MS, clock },
      );
      await load.stop();
      const servedAfterMs = served.map((offer) => (offer?.startedAt ?? 0) + (offer?.tookMs ?? 0) - movedAt);
      expect(Math.max(...servedAfterMs)).toBeLessThan(DEADLINE_MS + MARGIN_MS);
      expect(Math.max(...load.offers.map(({ tookMs }) => tookMs))).toBeLessThan(DEADLINE_MS + MARGIN_MS);
      const refused = load.offers.filter(({ answer }) => answer.status !== 201);
      expect(refused.length).toBeGreaterThan(0);
      for (const offer of refused) {
        expect(offer.answer.status).toBe(503);
        if (!isUnknown(offer)) expect(offer.answer.headers.get('retry-after')).toBe('1');
      }
      offers.push(...load.offers);
      await expectNothingLostOrDoubled(pair, { businesses, offers });
    }
  });
});
