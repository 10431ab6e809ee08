import { asMicros, divideHalfAwayFromZero, type Micros, ODDS_ONE, type OddsMicros, ZERO } from './money.js';
import type { DecidedOutcome } from './outcome.js';
import type { Bet } from './records.js';

/*
 * The central idea of the ledger: a bet's facts determine its impact, and every operation moves balances and positions
 * by the difference of the impacts before and after. Settling, un-settling, overriding, (in)activating and forcing all
 * work like this, so each is exact, and none moves anything twice.
 */

/** What a bet contributes to its requester; the acceptor gets the opposite of all but `offered`. */
export interface Impact {
  readonly balance: Micros;
  readonly win: Micros;
  readonly loss: Micros;
  readonly offered: Micros;
}

interface Terms {
  readonly odds: OddsMicros;
  readonly amount: Micros;
}

const NO_IMPACT: Impact = { balance: ZERO, win: ZERO, loss: ZERO, offered: ZERO };

/** The amount that moves from the acceptor to the requester. It is rounded once, so both sides always sum to zero. */
export const movementOf = (outcome: DecidedOutcome, { odds, amount }: Terms): Micros => {
  const winnings = amount * (odds - ODDS_ONE);
  switch (outcome) {
    case 'win':
      return asMicros(divideHalfAwayFromZero(winnings, ODDS_ONE));
    case 'half-win':
      return asMicros(divideHalfAwayFromZero(winnings, 2n * ODDS_ONE));
    case 'push':
    case 'void':
      return ZERO;
    case 'half-loss':
      return asMicros(-divideHalfAwayFromZero(amount, 2n));
    case 'loss':
      return asMicros(-amount);
  }
};

/** The agreed terms of a matched bet; undefined for an offer. */
const agreedTermsOf = (bet: Bet): Terms | undefined =>
  bet.effectiveOdds === null || bet.effectiveAmount === null
    ? undefined
    : { odds: bet.effectiveOdds, amount: bet.effectiveAmount };

export const impactOf = (bet: Bet): Impact => {
  if (!bet.isActive) return NO_IMPACT;
  const agreed = agreedTermsOf(bet);
  if (agreed === undefined) {
    return bet.offerStatus === 'requesting' ? { ...NO_IMPACT, offered: bet.requestingAmount } : NO_IMPACT;
  }
  if (bet.settledOutcome !== null) return { ...NO_IMPACT, balance: movementOf(bet.settledOutcome, agreed) };
  return { ...NO_IMPACT, win: movementOf('win', agreed), loss: movementOf('loss', agreed) };
};

export const differenceOf = (after: Impact, before: Impact): Impact => ({
  balance: asMicros(after.balance - before.balance),
  win: asMicros(after.win - before.win),
  loss: asMicros(after.loss - before.loss),
  offered: asMicros(after.offered - before.offered),
});

/** The impact on the acceptor. */
export const oppositeOf = (impact: Impact): Impact => ({
  balance: asMicros(-impact.balance),
  win: asMicros(-impact.win),
  loss: asMicros(-impact.loss),
  offered: ZERO,
});
