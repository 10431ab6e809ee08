import { describe, expect, it } from '@jest/globals';
import { cut, decimalOf, receivedBy, rounded } from './figures.js';

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

describe('the amount that the requester receives', () => {
  const terms = (odds: number, amount: number) => ({
    odds: BigInt(Math.round(odds * 1e6)),
    amount: BigInt(Math.round(amount * 1e6)),
  });

  it.each([
    ['half-win', terms(3, 300), 300_000_000n],
    ['win', terms(3, 300), 600_000_000n],
    ['win', terms(1, 300), 0n],
    ['loss', terms(3, 300), -300_000_000n],
    ['half-loss', terms(3, 300), -150_000_000n],
    ['push', terms(3, 300), 0n],
    ['void', terms(3, 300), 0n],
    ['half-loss', terms(2, 0.000001), -1n],
    ['half-loss', terms(2, 0.000003), -2n],
    ['win', terms(1.5, 0.000001), 1n],
    ['win', terms(1.499999, 0.000001), 0n],
    ['half-win', terms(2, 0.000001), 1n],
    ['half-win', terms(1.999999, 0.000001), 0n],
  ] as const)('from %s', (outcome, { odds, amount }, received) =>
    expect(receivedBy(outcome, { odds, amount, decimals: null })).toBe(received),
  );

  it.each([
    ['win', terms(1.999, 0.05), 2, 40_000n],
    ['half-win', terms(2, 0.05), 2, 20_000n],
    ['half-loss', terms(2, 0.05), 2, -20_000n],
    ['loss', terms(2, 0.05), 2, -50_000n],
    ['win', terms(1.9, 1), 0, 0n],
    ['win', terms(1.999999, 0.000001), 6, 0n],
  ] as const)('from %s is cut to the decimals of the account', (outcome, { odds, amount }, decimals, received) =>
    expect(receivedBy(outcome, { odds, amount, decimals })).toBe(received),
  );
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
