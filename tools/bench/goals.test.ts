import { describe, expect, it } from '@jest/globals';
import { besideCeiling, GOALS, LEAN, verdictsOf } from './goals.js';
import { comparisonLine, goalLines, numberText } from './report.js';

const verdictFor = (scenario: string, figure: string, value: number) =>
  verdictsOf(new Map([[scenario, { [figure]: value }]])).find((one) => one.value !== undefined);

describe('goals', () => {
  it('are met at their bound, missed beyond it, and not measured without a figure', () => {
    expect(verdictFor('make-offer-64', 'p99 ms', 60)?.isMet).toBe(true);
    expect(verdictFor('make-offer-64', 'p99 ms', 60.01)?.isMet).toBe(false);
    expect(verdictFor('make-offer-64', LEAN, 0.5)?.isMet).toBe(true);
    expect(verdictFor('make-offer-64', LEAN, 0.49)?.isMet).toBe(false);
    expect(verdictFor('make-offer-64', LEAN, Number.NaN)?.isMet).toBe(false);
    expect(goalLines(verdictsOf(new Map([['accept-offer-64', {}]])))).toEqual([expect.stringMatching(/not measured$/)]);
  });

  it('are few', () => {
    expect(GOALS.length).toBeLessThanOrEqual(15);
  });

  it('compare with the mean of two ceilings, and with none without pgbench', () => {
    expect(besideCeiling({ 'a second': 300 }, [500, 700])).toEqual({ 'a second': 300, [LEAN]: 0.5 });
    expect(besideCeiling({ 'a second': 300 }, [undefined, undefined])).toEqual({ 'a second': 300 });
  });
});

describe('the report', () => {
  it('shows three digits, and the median ratio with its spread', () => {
    expect([1_446.2, 23.74, 0.814, 250.4].map(numberText)).toEqual(['1,446', '23.7', '0.81', '250']);
    expect(comparisonLine({ scenario: 'mixed-64', figure: 'p50 ms', ratios: [1.2, 0.9, 1.1, 1] })).toMatch(
      /^mixed-64 +p50 ms +1\.05 {2}\(0\.90 to 1\.20\)$/,
    );
  });
});
