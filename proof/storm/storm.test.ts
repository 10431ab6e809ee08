import { afterEach, describe, expect, it } from '@jest/globals';
import { anySeed } from './options.js';
import type { StormReport } from './report.js';
import { runStorm } from './run-storm.js';

const SECONDS = 60;
/** Other tests run beside it, on the same processors. */
const PATIENCE = 3;
/** More than all that the storm itself waits for, one after the other. */
const TEST_MS = 420_000;
const CLEAN_UP_MS = 60_000;
const seed = anySeed();

const stopping = new AbortController();
let running: Promise<StormReport> | undefined;

// Also after a test that took too long.
afterEach(async () => {
  stopping.abort();
  await Promise.allSettled([running]);
}, CLEAN_UP_MS);

describe('a storm', () => {
  it(
    `of ${SECONDS} s (seed ${seed}) loses nothing, doubles nothing, and everything is soon in service again`,
    async () => {
      const said: string[] = [];
      running = runStorm({
        options: { seed, seconds: SECONDS, patience: PATIENCE, keep: false },
        screen: { write: (text) => said.push(text) },
        stopping: stopping.signal,
      });
      const { findings, faults, recoveries } = await running;
      expect({ said: findings.length === 0 ? '' : said.join(''), findings }).toEqual({ said: '', findings: [] });
      expect([...faults.values()].filter((count) => count > 0).length).toBeGreaterThan(faults.size / 2);
      expect(recoveries.length).toBeGreaterThan(10);
    },
    TEST_MS,
  );
});
