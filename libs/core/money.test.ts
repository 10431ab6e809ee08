import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  asMicros,
  divideHalfAwayFromZero,
  formatMicros,
  isBeyondLedger,
  LEDGER_BOUND_MICROS,
  microsFromNumber,
  numberFromMicros,
  oddsFromNumber,
} from './money.js';

describe('microsFromNumber', () => {
  it.each([
    [0, 0n],
    [-0, 0n],
    [1, 1_000_000n],
    [0.1, 100_000n],
    [0.000001, 1n],
    [1e-6, 1n],
    [-12.5, -12_500_000n],
    [300.000003, 300_000_003n],
    [1_000_000_000, 1_000_000_000_000_000n],
    [999_999_999.999999, 999_999_999_999_999n],
    [8_589_934_591.999999, 8_589_934_591_999_999n],
  ])('%d is %d micro-units', (value, expected) => {
    expect(microsFromNumber(value)).toBe(expected);
  });

  it.each([
    [0.0000001],
    [1.0000005],
    [0.1 + 0.2],
    [1e-7],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY],
    [8_589_934_592],
    [1e300],
  ])('%d is none', (value) => {
    expect(microsFromNumber(value)).toBeUndefined();
  });

  it('returns every amount of the ledger from its number, by its shortest decimal text', () => {
    const units = fc.bigInt({ min: -LEDGER_BOUND_MICROS, max: LEDGER_BOUND_MICROS });
    fc.assert(
      fc.property(units, (value) => {
        const number = numberFromMicros(asMicros(value));
        expect(microsFromNumber(number)).toBe(value);
        expect(Number(formatMicros(asMicros(value)))).toBe(number);
      }),
      { numRuns: 2000 },
    );
  });

  it('has the largest bound possible: just above it, two amounts share one number', () => {
    expect(numberFromMicros(asMicros(LEDGER_BOUND_MICROS + 2n))).toBe(
      numberFromMicros(asMicros(LEDGER_BOUND_MICROS + 3n)),
    );
    expect(isBeyondLedger(LEDGER_BOUND_MICROS)).toBe(false);
    expect(isBeyondLedger(LEDGER_BOUND_MICROS + 1n)).toBe(true);
    expect(isBeyondLedger(-LEDGER_BOUND_MICROS - 1n)).toBe(true);
  });
});

describe('oddsFromNumber', () => {
  it('converts odds alike', () => {
    expect(oddsFromNumber(1.91)).toBe(1_910_000n);
    expect(oddsFromNumber(1.9100001)).toBeUndefined();
  });
});

describe('formatMicros', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [300_000_000n, '300'],
    [-500_000n, '-0.5'],
    [1_230_000n, '1.23'],
    [LEDGER_BOUND_MICROS, '8589934591.999999'],
  ])('%d is %s', (value, text) => {
    expect(formatMicros(asMicros(value))).toBe(text);
  });
});

describe('divideHalfAwayFromZero', () => {
  it.each([
    [0n, 2n, 0n],
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-2n, 3n, -1n],
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [499_999n, 1_000_000n, 0n],
    [500_000n, 1_000_000n, 1n],
    [-500_000n, 1_000_000n, -1n],
  ])('%d / %d is %d', (dividend, divisor, expected) => {
    expect(divideHalfAwayFromZero(dividend, divisor)).toBe(expected);
  });
});
