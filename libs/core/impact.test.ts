import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { micros, odds } from '#testing/core/builders.js';
import {
  dueStateOf,
  effectiveOutcome,
  exposureOf,
  impactOf,
  isDecided,
  isPending,
  movementOf,
  oppositeOf,
  type Unit,
} from './impact.js';
import {
  AMOUNT_MAX_MICROS,
  asMicros,
  type Micros,
  ODDS_MAX_MICROS,
  ODDS_ONE,
  type OddsMicros,
  unitOf,
  ZERO,
} from './money.js';
import { type Bet, type DecidedOutcome, type OfferStatus, type Outcome, outcomes } from './records.js';

const open: Bet = {
  id: 1n,
  wagerId: 1n,
  requestingUserId: 1n,
  requestingOdds: odds(3),
  requestingAmount: micros(300),
  allowedAcceptorIds: [],
  queuePlace: 1n,
  expiresAt: null,
  cancelOnSuspend: false,
  acceptedAt: null,
  timedOut: false,
  offerStatus: 'requesting',
  acceptingUserId: null,
  effectiveOdds: null,
  effectiveAmount: null,
  overrideOutcome: null,
  settledOutcome: null,
  isActive: true,
  sparedUpTo: null,
  paid: ZERO,
};
const matched: Bet = {
  ...open,
  offerStatus: 'accepted',
  acceptingUserId: 2n,
  effectiveOdds: odds(3),
  effectiveAmount: micros(200),
};

const units = fc.constantFrom<Unit>(null, ...[0, 1, 2, 3, 4, 5, 6].map(unitOf));

describe('movementOf', () => {
  it.each<[DecidedOutcome, number, number, number]>([
    ['win', 3, 300, 600],
    ['half-win', 3, 300, 300],
    ['push', 3, 300, 0],
    ['void', 3, 300, 0],
    ['half-loss', 3, 300, -150],
    ['loss', 3, 300, -300],
    ['win', 1, 300, 0],
    ['half-win', 1, 300, 0],
    ['win', 1.91, 10.05, 9.1455],
    ['win', 1.333333, 0.000001, 0],
    ['win', 1.5, 0.000001, 0.000001],
    ['win', 1.499999, 0.000001, 0],
    ['half-win', 2, 0.000001, 0.000001],
    ['half-loss', 2, 0.000001, -0.000001],
    ['half-loss', 2, 0.000003, -0.000002],
    ['half-win', 1.5, 0.000005, 0.000001],
    ['win', 1_000_000, 1_000, 999_999_000],
  ])('%s at odds %d and amount %d moves %d', (outcome, price, amount, expected) => {
    expect(movementOf(outcome, { odds: odds(price), amount: micros(amount) }, null)).toBe(micros(expected));
  });

  it.each<[DecidedOutcome, number, number, number, number]>([
    ['win', 2, 1.999, 0.05, 0.04],
    ['win', 2, 1.91, 10.05, 9.14],
    ['half-win', 2, 2, 0.05, 0.02],
    ['half-loss', 2, 2, 0.05, -0.02],
    ['loss', 2, 2, 0.05, -0.05],
    ['push', 2, 2, 0.05, 0],
    ['win', 0, 1.9, 1, 0],
    ['win', 0, 1.999999, 1_000_000, 999_999],
    ['half-loss', 0, 3, 1, 0],
    ['win', 6, 1.5, 0.000001, 0],
    ['half-loss', 6, 2, 0.000003, -0.000001],
  ])(
    '%s with %d decimals at odds %d and amount %d moves %d, rounded down for who wins',
    (outcome, decimals, ...some) => {
      const [price, amount, expected] = some;
      const terms = { odds: odds(price), amount: micros(amount) };
      expect(movementOf(outcome, terms, unitOf(decimals))).toBe(micros(expected));
    },
  );

  it('moves less for the half outcomes than for the whole ones', () => {
    const terms = fc.record({
      odds: fc.bigInt({ min: ODDS_ONE, max: ODDS_MAX_MICROS }).map((value) => value as OddsMicros),
      amount: fc.bigInt({ min: 1n, max: AMOUNT_MAX_MICROS }).map(asMicros),
    });
    fc.assert(
      fc.property(terms, units, (some, unit) => {
        const moves = (['loss', 'half-loss', 'push', 'half-win', 'win'] as const).map((outcome) =>
          movementOf(outcome, some, unit),
        );
        expect(moves).toEqual([...moves].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
        expect(movementOf('void', some, unit)).toBe(0n);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('impactOf', () => {
  const none = { balance: 0, win: 0, loss: 0, offered: 0 };
  it.each<[string, Bet, Partial<typeof none>]>([
    ['open offer', open, { offered: 300 }],
    ['inactive offer', { ...open, isActive: false }, {}],
    ['canceled offer', { ...open, offerStatus: 'canceled' }, {}],
    ['expired offer', { ...open, offerStatus: 'expired' }, {}],
    ['matched bet', matched, { win: 400, loss: -200 }],
    ['inactive matched bet', { ...matched, isActive: false }, {}],
    ['settled bet', { ...matched, settledOutcome: 'win' }, { balance: 400 }],
    ['lost bet', { ...matched, settledOutcome: 'loss' }, { balance: -200 }],
    ['pushed bet', { ...matched, settledOutcome: 'push' }, {}],
    ['bet settled by an admin', { ...matched, offerStatus: 'expired', settledOutcome: 'half-win' }, { balance: 200 }],
  ])('%s', (_name, bet, expected) => {
    const { balance, win, loss, offered } = { ...none, ...expected };
    const impact = { balance: micros(balance), win: micros(win), loss: micros(loss), offered: micros(offered) };
    expect(impactOf(bet, null)).toEqual(impact);
    expect(oppositeOf(impact)).toEqual({
      balance: -micros(balance),
      win: -micros(win),
      loss: -micros(loss),
      offered: 0n,
    });
  });
});

describe('exposureOf', () => {
  it.each([
    ['nothing', 0, 0, 0, 0],
    ['an offer', 0, 0, 300, 300],
    ['a matched request', 400, -200, 0, 200],
    ['a matched request and an offer', 400, -200, 300, 500],
    ['an acceptance', -400, 200, 0, 400],
    ['an acceptance that hedges an offer', -400, 200, 300, 400],
    ['an acceptance below its offers', -400, 200, 700, 500],
    ['a win either way', 10, 20, 0, 0],
    ['a win that an offer eats', 10, 20, 50, 30],
  ])('%s', (_name, win, loss, offered, expected) => {
    const position = { win: micros(win), loss: micros(loss), offered: micros(offered) };
    expect(exposureOf(position)).toBe(micros(expected));
  });
});

describe('the state that is due', () => {
  it.each<[string, Bet, Outcome, OfferStatus, DecidedOutcome | null]>([
    ['offer, undecided', open, 'undecided', 'requesting', null],
    ['offer, decided', open, 'win', 'expired', null],
    ['inactive offer, decided', { ...open, isActive: false }, 'void', 'expired', null],
    ['expired offer, undecided again', { ...open, offerStatus: 'expired' }, 'undecided', 'requesting', null],
    ['overridden offer', { ...open, overrideOutcome: 'win' }, 'undecided', 'expired', null],
    ['offer overridden as undecided', { ...open, overrideOutcome: 'undecided' }, 'undecided', 'requesting', null],
    ['offer overridden as undecided, decided', { ...open, overrideOutcome: 'undecided' }, 'win', 'expired', null],
    ['canceled offer, undecided', { ...open, offerStatus: 'canceled' }, 'undecided', 'canceled', null],
    ['bet, undecided', matched, 'undecided', 'accepted', null],
    ['bet, decided', matched, 'half-loss', 'accepted', 'half-loss'],
    ['bet, overridden', { ...matched, overrideOutcome: 'win' }, 'loss', 'accepted', 'win'],
    ['bet, overridden as undecided', { ...matched, overrideOutcome: 'undecided' }, 'loss', 'accepted', null],
    [
      'bet, overridden by an admin',
      { ...matched, overrideOutcome: 'win', offerStatus: 'expired' },
      'undecided',
      'expired',
      'win',
    ],
    ['inactive bet, decided', { ...matched, isActive: false }, 'win', 'accepted', null],
  ])('%s', (_name, bet, outcome, offerStatus, settledOutcome) => {
    const due = { offerStatus, settledOutcome, overrideOutcome: bet.overrideOutcome };
    const decision = { outcome, voidFrom: null };
    expect(dueStateOf(bet, decision)).toEqual(due);
    expect(isPending({ ...bet, ...due }, decision)).toBe(false);
    expect(isPending(bet, decision)).toBe(bet.offerStatus !== offerStatus || bet.settledOutcome !== settledOutcome);
  });

  it('follows the override before the wager, also when the override is undecided', () => {
    expect(effectiveOutcome(null, 'win')).toBe('win');
    expect(effectiveOutcome('loss', 'win')).toBe('loss');
    expect(effectiveOutcome('undecided', 'win')).toBe('undecided');
    expect([null, 'undecided' as const, 'void' as const].map(isDecided)).toEqual([false, false, true]);
  });
});

interface Side {
  readonly unit?: Unit;
  readonly odds: OddsMicros;
  readonly amount: Micros;
  readonly isRequester: boolean;
}

const resultOf = (bets: readonly Side[], outcome: DecidedOutcome): bigint =>
  bets.reduce((sum, bet) => sum + (bet.isRequester ? 1n : -1n) * movementOf(outcome, bet, bet.unit ?? null), 0n);

const exposureFor = (bets: readonly Side[]): bigint =>
  exposureOf({ win: asMicros(resultOf(bets, 'win')), loss: asMicros(resultOf(bets, 'loss')), offered: ZERO });

/** Small ones, where rounding is all there is, and any others. */
const amounts = fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, AMOUNT_MAX_MICROS));
const prices = fc.oneof(fc.bigInt(ODDS_ONE, ODDS_ONE * 4n), fc.constantFrom(2n * ODDS_ONE, 3n * ODDS_ONE));
const sides: fc.Arbitrary<Side> = fc
  .record({ odds: prices, amount: amounts, isRequester: fc.boolean() })
  .map(({ odds, amount, isRequester }) => ({ odds: odds as OddsMicros, amount: asMicros(amount), isRequester }));

describe('the exposure of a user in a wager', () => {
  it('covers every outcome but for half of the smallest amount for each bet', () => {
    fc.assert(
      fc.property(fc.array(sides, { minLength: 1, maxLength: 40 }), units, (some, unit) => {
        const smallest = unit ?? 1n;
        const bets = some.map(({ amount, ...bet }) => ({ ...bet, unit, amount: asMicros(amount * smallest) }));
        for (const outcome of outcomes.filter(isDecided)) {
          const uncovered = -resultOf(bets, outcome) - exposureFor(bets);
          expect(2n * uncovered).toBeLessThanOrEqual(BigInt(bets.length) * smallest);
        }
      }),
      { numRuns: 2_000 },
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
