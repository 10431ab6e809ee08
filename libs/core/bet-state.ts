import { type DecidedOutcome, effectiveOutcome, isDecided, type OfferStatus, type Outcome } from './outcome.js';
import type { Bet } from './records.js';

/* What a bet's own facts and its wager's outcome say its state should be. `restate` (step.ts) brings it there. */

/** Whether the offer still stands in the book. Whether its wager still takes acceptances is the wager's matter. */
export const isOpen = (bet: Bet): boolean => bet.isActive && bet.offerStatus === 'requesting';

export const isMatched = (bet: Bet): boolean => bet.acceptingUserId !== null;

/**
 * A matched bet keeps its status (only an admin's override changes it), a canceled one too. An offer is expired while
 * its wager is decided or a deciding override stands, whichever came first, and requesting otherwise; so whatever is
 * undone, in whatever order, it ends where its facts say.
 */
const statusOf = (bet: Bet, wagerOutcome: Outcome): OfferStatus => {
  if (isMatched(bet) || bet.offerStatus === 'canceled') return bet.offerStatus;
  return isDecided(wagerOutcome) || isDecided(bet.overrideOutcome) ? 'expired' : 'requesting';
};

const settledOutcomeOf = (bet: Bet, wagerOutcome: Outcome): DecidedOutcome | null => {
  if (!isMatched(bet) || !bet.isActive) return null;
  const outcome = effectiveOutcome(bet.overrideOutcome, wagerOutcome);
  return isDecided(outcome) ? outcome : null;
};

export const dueStateOf = (bet: Bet, wagerOutcome: Outcome): Pick<Bet, 'offerStatus' | 'settledOutcome'> => ({
  offerStatus: statusOf(bet, wagerOutcome),
  settledOutcome: settledOutcomeOf(bet, wagerOutcome),
});

/** Whether the bet would still have to move if its wager had that outcome. */
export const isPending = (bet: Bet, wagerOutcome: Outcome): boolean =>
  bet.offerStatus !== statusOf(bet, wagerOutcome) || bet.settledOutcome !== settledOutcomeOf(bet, wagerOutcome);
