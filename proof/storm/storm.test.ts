import { afterEach, describe, expect, it } from '@jest/globals';
import { testSeed } from '#testing/test-seed.js';
import { isEnoughOf, type StormReport } from './report.js';
import { runStorm } from './run-storm.js';

/** A shorter one need not exercise enough of everything. */
const SECONDS = 30;
/** Other tests run at the same time on the same processors. */
const PATIENCE = 3;
/** More than the sum of the storm's own time limits. */
const TEST_MS = 600_000;
const CLEAN_UP_MS = 60_000;

const stopping = new AbortController();
let running: Promise<StormReport> | undefined;

// Runs after a time-out of the test too.
afterEach(async () => {
  stopping.abort();
  await Promise.allSettled([running]);
}, CLEAN_UP_MS);

describe('a storm', () => {
  it(
    `of ${SECONDS} s (seed ${testSeed}) loses no effect, repeats none, and every process recovers in time`,
    async () => {
      const written: string[] = [];
      running = runStorm({
        options: { seed: testSeed, seconds: SECONDS, patience: PATIENCE, standby: false, keep: false },
        screen: { write: (text) => written.push(text) },
        stopping: stopping.signal,
      });
      const report = await running;
      const { findings } = report;
      expect({ written: findings.length === 0 ? '' : written.join(''), findings }).toEqual({
        written: '',
        findings: [],
      });
      expect([isEnoughOf(report), report]).toEqual([true, report]);
    },
    TEST_MS,
  );
});
