import { describe, expect, it } from '@jest/globals';
import { decimalsOf, formatAmount } from './amount.js';
import { roundTicks } from './chart-scale.js';

describe('amounts', () => {
  it('have as many decimals as the longest of them, and two at least', () => {
    expect(decimalsOf([])).toBe(2);
    expect(decimalsOf([1, 2.5])).toBe(2);
    expect(decimalsOf([1, 0.1 + 0.2, 3.000_001])).toBe(6);
    expect([1_234.5, -0.123456, 9_007_199_254.740_99].map((amount) => formatAmount(amount))).toEqual([
      '1,234.50',
      '\u22120.123456',
      '9,007,199,254.74099',
    ]);
  });
});

describe('the ticks of an axis', () => {
  it.each([
    [0, 0, [0, 0.25]],
    [0, 100, [0, 25, 50, 75, 100]],
    [-30, 72, [-50, 0, 50, 100]],
    [0, 0.003, [0, 0.001, 0.002, 0.003]],
  ])('are round, and hold %d to %d', (low, high, ticks) => {
    const found = roundTicks(low, high, 4);
    expect(found.map((tick) => Number(tick.toFixed(6)))).toEqual(ticks);
  });
});
