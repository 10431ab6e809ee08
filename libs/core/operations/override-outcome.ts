import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { type Needs, needs } from '../needs.js';
import type { Outcome } from '../records.js';
import { reject } from '../rejection.js';
import { restate } from '../step.js';

export interface OverrideOutcome {
  readonly type: 'override_bet_outcome';
  readonly betId: bigint;
  readonly overrideOutcome: Outcome;
}

export const needsOfOverrideOutcome = ({ betId }: OverrideOutcome): Needs => needs({ betIds: [betId] });

export const overrideOutcome = (book: Book, operation: OverrideOutcome): Decision<{ betId: bigint }> => {
  const bet = book.bets.get(operation.betId);
  if (bet === undefined) return reject('bet-not-found');
  if (bet.offerStatus !== 'accepted') return reject('bet-not-accepted');
  if (!bet.isActive) return reject('bet-inactive');

  // Point of no return: from here on there are only changes.
  const { overrideOutcome: outcome } = operation;
  const description = `Outcome overridden: ${outcome}`;
  restate(book, bet, { overrideOutcome: outcome }, { description, correction: 'bet.overridden' });
  return { answer: { betId: bet.id }, commitment: null };
};
