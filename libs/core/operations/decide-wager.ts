import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { type Needs, needs } from '../needs.js';
import { isDecided, type Outcome } from '../records.js';
import { reject } from '../rejection.js';
import { settleDecision, type WagerDecided } from '../settle.js';

export interface DecideWager {
  readonly type: 'update_wager_outcome';
  readonly reference: string;
  readonly outcome: Outcome;
  /** How many bets this operation settles; the worker settles the others in chunks. */
  readonly bound: number;
  /** How many bets were pending before, counted outside the transaction: the answer says how many are left. */
  readonly pendingBefore?: number;
}

export const needsOfDecideWager = ({ reference, outcome, bound, pendingBefore = 0 }: DecideWager): Needs =>
  needs({
    wagers: [{ reference }],
    // One more than the bound shows whether any bet is left.
    pendingBets: { wager: { reference }, outcome, limit: bound + 1, counted: pendingBefore },
  });

export const decideWager = (book: Book, { reference, outcome, bound }: DecideWager): Decision<WagerDecided> => {
  const wager = book.wagerNamed(reference);
  if (wager === undefined) return reject('wager-not-found');
  if (isDecided(wager.outcome)) return reject('wager-decided');
  if (!isDecided(outcome))
    return { answer: { wagerId: wager.id, settledCount: 0, remainingCount: 0 }, commitment: null };

  // Point of no return: from here on there are only changes.
  return { answer: settleDecision(book, wager, { outcome, forcedBy: null, bound }), commitment: null };
};
