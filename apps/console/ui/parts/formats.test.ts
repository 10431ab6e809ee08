import { describe, expect, it } from '@jest/globals';
import { decimalsOf, formatAmount, formatCount } from './amount.js';
import { roundTicks } from './chart-scale.js';
import { formatClock, formatTime } from './time.js';

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
    expect([0, -0, 999, 1_000, -123_456, 1_234_567].map(formatCount)).toEqual([
      ...['0', '0', '999', '1,000', '\u2212123,456', '1,234,567'],
    ]);
  });
});

describe('times', () => {
  it('are of the zone of the reader', () => {
    expect(formatTime(new Date(2026, 8, 5, 7, 3, 9))).toBe('5 Sep 2026, 07:03:09');
    expect(formatClock(new Date(2026, 8, 5, 17, 30, 0))).toBe('17:30:00');
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
