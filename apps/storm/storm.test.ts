import { describe, expect, it } from '@jest/globals';
import { anySeed } from './options.js';
import { runStorm } from './run.js';

const SECONDS = 60;
const seed = anySeed();

describe('a storm', () => {
  it(`of ${SECONDS} s (seed ${seed}) loses nothing, doubles nothing, and everything is soon in service again`, async () => {
    const said: string[] = [];
    const { findings, faults, recoveries } = await runStorm({
      options: { seed, seconds: SECONDS, keep: false },
      screen: { write: (text) => said.push(text) },
      stopping: new AbortController().signal,
    });
    expect({ said: findings.length === 0 ? '' : said.join(''), findings }).toEqual({ said: '', findings: [] });
    expect([...faults.values()].filter((count) => count > 0).length).toBeGreaterThan(faults.size / 2);
    expect(recoveries.length).toBeGreaterThan(10);
  }, 300_000);
});
