import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { type Needs, needs } from '../needs.js';
import type { AdminAction, Outcome } from '../records.js';
import { reject } from '../rejection.js';
import { settleDecision, type WagerDecided } from '../settle.js';

/** An admin's decision of any wager, also of a decided one, for any outcome, also `undecided`. */
export interface ForceOutcome {
  readonly type: 'force_wager_outcome';
  readonly wagerReference: string;
  readonly outcome: Outcome;
  readonly bound: number;
  /** As of a decision. */
  readonly pendingBefore?: number;
  readonly action: AdminAction;
}

export const needsOfForceOutcome = (operation: ForceOutcome): Needs => {
  const { wagerReference: reference, outcome, bound, pendingBefore = 0 } = operation;
  return needs({
    wagers: [{ reference }],
    pendingBets: { wager: { reference }, outcome, limit: bound + 1, counted: pendingBefore },
  });
};

export const forceOutcome = (book: Book, operation: ForceOutcome): Decision<WagerDecided> => {
  const { wagerReference, outcome, bound, action } = operation;
  const wager = book.wagerNamed(wagerReference);
  if (wager === undefined) return reject('wager-not-found');

  // Point of no return: from here on there are only changes.
  return { answer: settleDecision(book, wager, { outcome, forcedBy: action, bound }), commitment: null };
};
