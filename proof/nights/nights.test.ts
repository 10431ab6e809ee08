import { afterEach, describe, expect, it } from '@jest/globals';
import { testSeed } from '#testing/test-seed.js';
import { nightKinds } from './night-kinds.js';
import { type NightsReport, runNights } from './run-nights.js';

/** Each kind of night, a backup with its restore, and a day after it for housekeeping. */
const DAYS = 10;
const TEST_MS = 300_000;
const CLEAN_UP_MS = 60_000;

const stopping = new AbortController();
let running: Promise<NightsReport> | undefined;

// Runs after a time-out of the test too.
afterEach(async () => {
  stopping.abort();
  await Promise.allSettled([running]);
}, CLEAN_UP_MS);

describe('nights', () => {
  it(
    `of ${DAYS} days around a leap day (seed ${testSeed}) all close, and every day adds up`,
    async () => {
      const written: string[] = [];
      running = runNights({
        options: { seed: testSeed, days: DAYS, keep: false },
        screen: { write: (text) => written.push(text) },
        stopping: stopping.signal,
      });
      const { findings, nights, acts, lines } = await running;
      expect({ written: findings.length === 0 ? '' : written.join(''), findings }).toEqual({
        written: '',
        findings: [],
      });
      expect([...nights.keys()].toSorted()).toEqual([...nightKinds.map(({ name }) => name), 'restored'].toSorted());
      expect(
        Math.min(...['offer', 'accept', 'fund', 'decide', 'correct'].map((name) => acts.get(name) ?? 0)),
      ).toBeGreaterThan(2);
      expect(lines).toBeGreaterThan(50);
    },
    TEST_MS,
  );
});
