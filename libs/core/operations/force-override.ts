import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { isMatched } from '../impact.js';
import { type Needs, needs } from '../needs.js';
import { type AdminAction, type Bet, describe, isDecided, type OfferStatus, type Outcome } from '../records.js';
import { reject } from '../rejection.js';
import { restate } from '../step.js';

/** An admin's override. While it is a decided one, the offer or bet is expired; then its former status returns. */
export interface ForceOverride {
  readonly type: 'force_bet_override';
  readonly betId: bigint;
  /** Null removes the override. */
  readonly overrideOutcome: Outcome | null;
  readonly action: AdminAction;
}

export const needsOfForceOverride = ({ betId }: ForceOverride): Needs => needs({ betIds: [betId] });

export const forceOverride = (book: Book, operation: ForceOverride): Decision<{ betId: bigint }> => {
  const { betId, overrideOutcome, action } = operation;
  const bet = book.bets.get(betId);
  if (bet === undefined) return reject('bet-not-found');
  if (bet.offerStatus === 'canceled' || book.isNamed(bet)) return reject('bet-canceled');

  // Point of no return: from here on there are only changes.
  const facts = { overrideOutcome, offerStatus: statusUnder(overrideOutcome, bet) };
  const text = overrideOutcome === null ? 'Override removed' : `Override forced: ${overrideOutcome}`;
  restate(book, bet, facts, { description: describe(text, action), correction: 'bet.overridden' });
  return { answer: { betId }, commitment: null };
};

/** Sets the status of a matched bet; `restate` derives that of an offer from its facts. */
const statusUnder = (overrideOutcome: Outcome | null, bet: Bet): OfferStatus => {
  if (!isMatched(bet)) return bet.offerStatus;
  return isDecided(overrideOutcome) ? 'expired' : 'accepted';
};
