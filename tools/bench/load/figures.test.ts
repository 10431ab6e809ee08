import { describe, expect, it } from '@jest/globals';
import { percentile, Tally } from './figures.js';

describe('the tally', () => {
  it('counts every answer, and in the rate only successes in time', () => {
    const tally = new Tally();
    for (let latency = 1; latency <= 100; latency += 1) tally.add('201', latency, latency <= 80);
    tally.add('400', 500, true);
    expect(tally.figures(2_000)).toEqual({
      rate: 40,
      answers: { '201': 100, '400': 1 },
      meanMs: 5_550 / 101,
      p50Ms: 51,
      p99Ms: 100,
      maxMs: 500,
    });
  });

  it('has zeros when nothing was counted', () => {
    expect(new Tally().figures(1_000)).toEqual({ rate: 0, answers: {}, meanMs: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 });
    expect(percentile(Float64Array.of(3), 0.01)).toBe(3);
  });
});
