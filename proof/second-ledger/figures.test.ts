import { describe, expect, it } from '@jest/globals';
import { cut, decimalOf, rounded } from './figures.js';

describe('rounding', () => {
  it.each([
    [7n, 2n, 4n],
    [-7n, 2n, -4n],
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [1n, 3n, 0n],
    [-1n, 3n, 0n],
    [2n, 3n, 1n],
    [-5n, 3n, -2n],
    [1_499_999n, 1_000_000n, 1n],
    [1_500_000n, 1_000_000n, 2n],
    [6n, 2n, 3n],
    [0n, 5n, 0n],
  ])('of %p / %p gives %p', (dividend, divisor, result) => expect(rounded(dividend, divisor)).toBe(result));
});

it.each([
  [19_999n, 1n, 2, 10_000n],
  [-19_999n, 1n, 2, -10_000n],
  [-39_999n, 2n, 2, -10_000n],
  [7n, 2n, 6, 3n],
  [1_999_999n, 1n, 0, 1_000_000n],
])('%p / %p is cut to %p decimals: %p', (dividend, divisor, decimals, result) =>
  expect(cut(dividend, divisor, decimals)).toBe(result),
);

it.each([
  [300_000_000n, '300'],
  [1_500_000n, '1.5'],
  [1n, '0.000001'],
  [-500_000n, '-0.5'],
  [0n, '0'],
  [10_000_000n, '10'],
])('%p is written %s', (value, text) => expect(decimalOf(value)).toBe(text));
