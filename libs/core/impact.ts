import {
  asMicros,
  divideHalfAwayFromZero,
  divideTowardsZero,
  type Micros,
  maximumOf,
  ODDS_ONE,
  type OddsMicros,
  ZERO,
} from './money.js';
import type { Bet, DecidedOutcome, Moment, OfferStatus, Outcome, Position, Wager } from './records.js';

export const isDecided = (outcome: Outcome | null): outcome is DecidedOutcome =>
  outcome !== null && outcome !== 'undecided';

/** The outcome that a bet is settled by: its override when it has one (even `undecided`), else its wager's outcome. */
export const effectiveOutcome = (overrideOutcome: Outcome | null, wagerOutcome: Outcome): Outcome =>
  overrideOutcome ?? wagerOutcome;

/** Empty, or with offers alone. */
export const emptyPosition = (userId: bigint, wagerId: bigint, offered: Micros = ZERO): Position => ({
  userId,
  wagerId,
  win: ZERO,
  loss: ZERO,
  offered,
});

/**
 * The most that the wager can still cost the user. An open offer may be matched, and then costs its amount only if the
 * outcome is `loss`, so offers count there. The half outcomes lie between the two scenarios, but for their rounding: half
 * of the smallest amount for each bet at most (docs/decisions/0007-integers-of-a-millionth.md).
 */
export const exposureOf = ({ win, loss, offered }: Pick<Position, 'win' | 'loss' | 'offered'>): Micros => {
  const costIfWin = asMicros(-win);
  const costIfLoss = asMicros(offered - loss);
  return maximumOf(ZERO, maximumOf(costIfWin, costIfLoss));
};

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

/** The smallest amount of an account with decimals, of which all its amounts are multiples; null: it set no decimals. */
export type Unit = Micros | null;

const NO_IMPACT: Impact = { balance: ZERO, win: ZERO, loss: ZERO, offered: ZERO };

const divide = (dividend: bigint, divisor: bigint, unit: Unit): bigint =>
  unit === null ? divideHalfAwayFromZero(dividend, divisor) : divideTowardsZero(dividend, divisor, unit);

/** The amount that moves from the acceptor to the requester. It is rounded once, so both sides always sum to zero. */
export const movementOf = (outcome: DecidedOutcome, { odds, amount }: Terms, unit: Unit): Micros => {
  const winnings = amount * (odds - ODDS_ONE);
  switch (outcome) {
    case 'win':
      return asMicros(divide(winnings, ODDS_ONE, unit));
    case 'half-win':
      return asMicros(divide(winnings, 2n * ODDS_ONE, unit));
    case 'push':
    case 'void':
      return ZERO;
    case 'half-loss':
      return asMicros(-divide(amount, 2n, unit));
    case 'loss':
      return asMicros(-amount);
  }
};

/** The agreed terms of a matched bet; undefined for an offer. */
const agreedTermsOf = (bet: Bet): Terms | undefined =>
  bet.effectiveOdds === null || bet.effectiveAmount === null
    ? undefined
    : { odds: bet.effectiveOdds, amount: bet.effectiveAmount };

export const impactOf = (bet: Bet, unit: Unit): Impact => {
  if (!bet.isActive) return NO_IMPACT;
  const agreed = agreedTermsOf(bet);
  if (agreed === undefined) {
    if (bet.offerStatus !== 'requesting') return NO_IMPACT;
    return { balance: ZERO, win: ZERO, loss: ZERO, offered: bet.requestingAmount };
  }
  if (bet.settledOutcome !== null) {
    return { balance: movementOf(bet.settledOutcome, agreed, unit), win: ZERO, loss: ZERO, offered: ZERO };
  }
  const win = movementOf('win', agreed, unit);
  const loss = movementOf('loss', agreed, unit);
  return { balance: ZERO, win, loss, offered: ZERO };
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

/* The state that a bet's own facts and its wager's decision demand. `restate` and `followDecision` (step.ts) move the bet to it. */

export type Decision = Pick<Wager, 'outcome' | 'voidFrom'>;

/** Whether the offer itself is open. Its wager may be decided all the same, and then takes no acceptances. */
export const isOpen = (bet: Bet): boolean => bet.isActive && bet.offerStatus === 'requesting';

/** Whether the time of an open offer has come: no acceptance takes it, and the worker expires it. */
export const isPastItsTime = ({ expiresAt }: Pick<Bet, 'expiresAt'>, now: Moment): boolean =>
  expiresAt !== null && expiresAt <= now;

export const isMatched = ({ acceptingUserId }: Pick<Bet, 'acceptingUserId'>): boolean => acceptingUserId !== null;

/**
 * The status of a matched bet stays (only an admin's override changes it), and so does that of a canceled one. An offer
 * is expired when it has timed out, and while its wager is decided or a deciding override stands; otherwise it is requesting.
 * So decisions and overrides may be undone in any order.
 */
const statusOf = (bet: Bet, wagerOutcome: Outcome): OfferStatus => {
  if (isMatched(bet) || bet.offerStatus === 'canceled') return bet.offerStatus;
  if (bet.timedOut) return 'expired';
  return isDecided(wagerOutcome) || isDecided(bet.overrideOutcome) ? 'expired' : 'requesting';
};

const settledOutcomeOf = (bet: Bet, effective: Outcome): DecidedOutcome | null =>
  isMatched(bet) && bet.isActive && isDecided(effective) ? effective : null;

/** Whether its wager's decision is at work on bets of that time: until it has settled, the bet keeps the override `void`. */
export const isBeingVoided = ({ acceptedAt }: Bet, { voidFrom }: Pick<Wager, 'voidFrom'>): boolean =>
  voidFrom !== null && acceptedAt !== null && acceptedAt >= voidFrom;

/** Whether the decision still has to give the bet that override. */
export const isVoidDue = (bet: Bet, wager: Pick<Wager, 'voidFrom'>): boolean =>
  bet.overrideOutcome !== 'void' && isBeingVoided(bet, wager);

type DueState = Pick<Bet, 'offerStatus' | 'settledOutcome' | 'overrideOutcome'>;

export const dueStateOf = (bet: Bet, decision: Decision): DueState => {
  const overrideOutcome = isVoidDue(bet, decision) ? 'void' : bet.overrideOutcome;
  const { outcome } = decision;
  const offerStatus = statusOf(bet, outcome);
  return {
    offerStatus,
    settledOutcome: settledOutcomeOf(bet, effectiveOutcome(overrideOutcome, outcome)),
    overrideOutcome,
  };
};

/** Whether the bet would have to change its state if its wager were decided so. */
export const isPending = (bet: Bet, decision: Decision): boolean =>
  bet.offerStatus !== statusOf(bet, decision.outcome) ||
  isVoidDue(bet, decision) ||
  bet.settledOutcome !== settledOutcomeOf(bet, effectiveOutcome(bet.overrideOutcome, decision.outcome));
