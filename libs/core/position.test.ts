import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exposureOf, movementOf } from './impact.js';
import { AMOUNT_MAX_MICROS, asMicros, type Micros, ODDS_ONE, type OddsMicros, ZERO } from './money.js';
import type { DecidedOutcome } from './records.js';

interface Side {
  readonly odds: OddsMicros;
  readonly amount: Micros;
  readonly isRequester: boolean;
}

const outcomes: readonly DecidedOutcome[] = ['win', 'half-win', 'push', 'void', 'half-loss', 'loss'];

const resultOf = (bets: readonly Side[], outcome: DecidedOutcome): bigint =>
  bets.reduce((sum, bet) => sum + (bet.isRequester ? 1n : -1n) * movementOf(outcome, bet), 0n);

const exposureFor = (bets: readonly Side[]): bigint =>
  exposureOf({ win: asMicros(resultOf(bets, 'win')), loss: asMicros(resultOf(bets, 'loss')), offered: ZERO });

/** Small ones, where rounding is all there is, and any others. */
const amounts = fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, AMOUNT_MAX_MICROS));
const prices = fc.oneof(fc.bigInt(ODDS_ONE, ODDS_ONE * 4n), fc.constantFrom(2n * ODDS_ONE, 3n * ODDS_ONE));
const sides: fc.Arbitrary<Side> = fc
  .record({ odds: prices, amount: amounts, isRequester: fc.boolean() })
  .map(({ odds, amount, isRequester }) => ({ odds: odds as OddsMicros, amount: asMicros(amount), isRequester }));

describe('the exposure of a user in a wager', () => {
  it('covers every outcome but for half a millionth of a unit for each bet', () => {
    fc.assert(
      fc.property(fc.array(sides, { minLength: 1, maxLength: 40 }), (bets) => {
        for (const outcome of outcomes) {
          const uncovered = -resultOf(bets, outcome) - exposureFor(bets);
          expect(2n * uncovered).toBeLessThanOrEqual(BigInt(bets.length));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('can be short by that much: six halves rounded in one direction', () => {
    const bet = (amount: bigint, isRequester: boolean): Side => ({
      odds: (2n * ODDS_ONE) as OddsMicros,
      amount: asMicros(amount),
      isRequester,
    });
    const bets = [bet(6n, true), ...Array.from({ length: 6 }, () => bet(1n, false))];
    expect(exposureFor(bets)).toBe(0n);
    expect(resultOf(bets, 'half-win')).toBe(-3n);
  });

  it('covers win, loss and push exactly', () => {
    fc.assert(
      fc.property(fc.array(sides, { maxLength: 40 }), (bets) => {
        for (const outcome of ['win', 'loss', 'push', 'void'] as const) {
          expect(-resultOf(bets, outcome)).toBeLessThanOrEqual(exposureFor(bets));
        }
      }),
    );
  });
});
