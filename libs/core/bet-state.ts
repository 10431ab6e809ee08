import { type DecidedOutcome, effectiveOutcome, isDecided, type OfferStatus, type Outcome } from './outcome.js';
import type { Bet } from './records.js';

/* The state that a bet's own facts and its wager's outcome demand. `restate` (step.ts) moves the bet to it. */

/** Whether the offer itself is open. Its wager may be decided all the same, and then takes no acceptances. */
export const isOpen = (bet: Bet): boolean => bet.isActive && bet.offerStatus === 'requesting';

export const isMatched = (bet: Bet): boolean => bet.acceptingUserId !== null;

/**
 * The status of a matched bet stays (only an admin's override changes it), and so does that of a canceled one. An offer
 * is expired while its wager is decided or a deciding override stands, and requesting otherwise. So decisions and
 * overrides may be undone in any order.
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

/** Whether the bet would have to change its state if its wager had that outcome. */
export const isPending = (bet: Bet, wagerOutcome: Outcome): boolean =>
  bet.offerStatus !== statusOf(bet, wagerOutcome) || bet.settledOutcome !== settledOutcomeOf(bet, wagerOutcome);
