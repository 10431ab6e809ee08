import { describe, expect, it } from '@jest/globals';
import { decimalsOf, formatAmount, formatCount, readAmount, readOdds, textOfAmount } from './amount.js';
import { roundTicks } from './chart-scale.js';
import { formatClock, formatDay, formatTime } from './time.js';
import { formatTimeLeft } from './time-left.js';

describe('amounts', () => {
  it('have as many decimals as the longest of them, and two at least', () => {
    expect(decimalsOf([])).toBe(2);
    expect(decimalsOf([1, 2.5])).toBe(2);
    expect(decimalsOf([1, 0.1 + 0.2, 3.000_001])).toBe(6);
    expect([1_234.5, -0.123456, 9_007_199_254.740_99].map((amount) => formatAmount(amount))).toEqual([
      '1\u202f234.50',
      '\u22120.123456',
      '9\u202f007\u202f199\u202f254.74099',
    ]);
    expect([0, -0, 999, 1_000, -123_456, 1_234_567].map(formatCount)).toEqual([
      ...['0', '0', '999', '1\u202f000', '\u2212123\u202f456', '1\u202f234\u202f567'],
    ]);
  });

  it.each([
    ['1250.50', 1_250.5],
    [' 1250 ', 1_250],
    ['.5', 0.5],
    ['5.', 5],
    ['1,250.50', 1_250.5],
    ['1,234,567', 1_234_567],
    ['1 250.50', 1_250.5],
    ['1\u00a0250.50', 1_250.5],
    ['1\u2009250.50', 1_250.5],
    [formatAmount(9_999_999.123456), 9_999_999.123456],
    ["1'250", 1_250],
    ['1\u2019250', 1_250],
    ['1_250_000.000001', 1_250_000.000001],
    ['1.5000000000', 1.5],
    [formatAmount(-30), -30],
    ['+5', 5],
  ])('typed as %j are understood', (text, value) => {
    expect(readAmount(text)).toEqual({ value });
  });

  it.each([
    ...['1,25', '1.250,50', '1,2500', '1250,000.50', '1,250 000', '0,125', '12,34,567', '1 25', '1.2.3'],
    ...['', '1e3', 'ten', '0x10', '1,,250', '.', '1\n250\t000 1'],
  ])('typed as %j are refused, with the way to write them', (text) => {
    expect(readAmount(text)).toEqual({ fault: expect.stringContaining('must be a number like 1250.50') });
  });

  it.each([
    ...[
      ['1.250', '1250 or 1.2500'],
      ['1,250', '1250 or 1.2500'],
      [' -12,000 ', '-12000 or -12.0000'],
      ['999.505', '999505 or 999.5050'],
    ],
  ])('typed as %j are refused, because they may be thousands or decimals', (text, ways) => {
    expect(readAmount(text)).toEqual({ fault: `may mean two numbers: write ${ways}` });
  });

  it('are read as fields begin with them', () => {
    for (const amount of [1.125, -12.345, 999.999, 1_000, 1_250.505, 0.125, 0.5, 3.000_001]) {
      expect(readAmount(textOfAmount(amount))).toEqual({ value: amount });
    }
    expect([textOfAmount(1.125), textOfAmount(1_250)]).toEqual(['1.1250', '1\u202f250.00']);
  });

  it('have so many decimals at most', () => {
    expect(readAmount('1.1234567')).toEqual({ fault: 'must not have more than 6 decimal places' });
    expect(readAmount('1250.505', 2)).toEqual({ fault: 'must not have more than 2 decimal places' });
    expect(readAmount('1250.5', 2)).toEqual({ value: 1_250.5 });
  });

  it('as odds have no lone comma, which may be one of decimals', () => {
    expect(readOdds('1,250')).toEqual({ fault: 'must have a point before the decimals, like 2.50' });
    expect(readOdds('2,5')).toEqual({ fault: 'must have a point before the decimals, like 2.50' });
    expect(readOdds('1,250.5')).toEqual({ value: 1_250.5 });
    expect(readOdds('2.5')).toEqual({ value: 2.5 });
    expect(readOdds('1.250')).toEqual({ value: 1.25 });
  });
});

describe('times', () => {
  it('are of the zone of the reader', () => {
    expect(formatTime(new Date(2026, 8, 5, 7, 3, 9))).toBe('5 Sep 2026, 07:03:09');
    expect(formatDay('2026-01-05')).toBe('5 Jan 2026');
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

describe('the time that is left', () => {
  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min 00 s'],
    [3_599, '59 min 59 s'],
    [3_600, '1 h 00 min'],
    [86_399, '23 h 59 min'],
    [86_400, '1 d 0 h'],
    [200_000, '2 d 7 h'],
  ])('of %p seconds is %p', (seconds, text) => {
    expect(formatTimeLeft(seconds)).toBe(text);
  });
});
