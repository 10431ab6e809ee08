import type { Book } from './book.js';
import { isBeingVoided, isDecided, isMatched } from './impact.js';
import { type Needs, NO_NEEDS } from './needs.js';
import type { AdminAction, Bet, OfferStatus, Outcome } from './records.js';
import { type OperationResult, reject } from './rejection.js';
import { CANCELED, describe, endOffer, restate } from './step.js';

/* The operations that change one bet: its override, and whether it is active. */

export interface OverrideOutcome {
  readonly type: 'override_bet_outcome';
  readonly betId: bigint;
  readonly overrideOutcome: Outcome;
  /** Why; the trail of the bet shows it. */
  readonly reason?: string | null;
}

export const needsOfOverrideOutcome = ({ betId }: OverrideOutcome): Needs => ({ ...NO_NEEDS, betIds: [betId] });

export const overrideOutcome = (book: Book, operation: OverrideOutcome): OperationResult<{ betId: bigint }> => {
  const bet = book.bets.get(operation.betId);
  if (bet === undefined) return reject('bet-not-found');
  if (bet.offerStatus !== 'accepted') return reject('bet-not-accepted');
  if (!bet.isActive) return reject('bet-inactive');
  if (isBeingVoided(bet, book.wager(bet.wagerId))) return reject('bet-void-due');

  // Point of no return: from here on there are only changes.
  const { overrideOutcome: outcome, reason = null } = operation;
  const description = `Outcome overridden: ${outcome}${reason === null ? '' : `: ${reason}`}`;
  restate(book, bet, { overrideOutcome: outcome }, { description, correction: 'bet.overridden' });
  return { answer: { betId: bet.id }, commitment: null };
};

/** An admin's override. While it is a decided one, the offer or bet is expired; then its former status returns. */
export interface ForceOverride {
  readonly type: 'force_bet_override';
  readonly betId: bigint;
  /** Null removes the override. */
  readonly overrideOutcome: Outcome | null;
  readonly action: AdminAction;
}

export const needsOfForceOverride = ({ betId }: ForceOverride): Needs => ({ ...NO_NEEDS, betIds: [betId] });

export const forceOverride = (book: Book, operation: ForceOverride): OperationResult<{ betId: bigint }> => {
  const { betId, overrideOutcome, action } = operation;
  const bet = book.bets.get(betId);
  if (bet === undefined) return reject('bet-not-found');
  if (bet.offerStatus === 'canceled' || book.isCanceling(bet)) return reject('bet-canceled');
  if (isBeingVoided(bet, book.wager(bet.wagerId))) return reject('bet-void-due');

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

/** An inactive bet has no impact. When it is active again, its impact follows from its state at that time. */
export interface SetActive {
  readonly type: 'set_bet_active';
  readonly betId: bigint;
  readonly isActive: boolean;
  readonly action: AdminAction;
}

export const needsOfSetActive = ({ betId }: SetActive): Needs => ({ ...NO_NEEDS, betIds: [betId] });

export const setActive = (book: Book, { betId, isActive, action }: SetActive): OperationResult<{ betId: bigint }> => {
  const bet = book.bets.get(betId);
  if (bet === undefined) return reject('bet-not-found');
  if (bet.isActive === isActive) return reject(isActive ? 'bet-already-active' : 'bet-already-inactive');

  // Point of no return: from here on there are only changes.
  // An inactive offer is not among those that the worker cancels, so a canceling one is canceled here.
  const cancel = book.cancelOf(bet);
  if (cancel !== undefined) endOffer(book, bet, { ...CANCELED, reason: cancel.reason });
  const description = describe(isActive ? 'Bet set active' : 'Bet set inactive', action);
  restate(book, bet, { isActive }, { description, correction: isActive ? 'bet.activated' : 'bet.deactivated' });
  return { answer: { betId }, commitment: null };
};
