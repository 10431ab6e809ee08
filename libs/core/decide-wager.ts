import type { Book } from './book.js';
import { addVoids, changeWager, markSettling, setOutcome } from './change-wager.js';
import { dueStateOf, isDecided, isMatched, isPending, isVoidDue } from './impact.js';
import { type Needs, NO_NEEDS } from './needs.js';
import type { AdminAction, Bet, Moment, Outcome, Wager } from './records.js';
import { type OperationResult, type Rejection, reject } from './rejection.js';
import { CANCELED, describe, endOffer, followDecision } from './step.js';

/* The operations that set a wager's outcome, and the worker's that brings the bets to it. */

export interface DecideWager {
  readonly type: 'update_wager_outcome';
  readonly reference: string;
  readonly outcome: Outcome;
  /** Bets that were matched from then on get the override `void`; null or left out: no bet does. */
  readonly voidMatchedAfter?: Moment | null;
  /** Why; its event shows it. */
  readonly reason?: string | null;
  /** How many bets this operation settles; the worker settles the others in chunks. */
  readonly bound: number;
  /** How many bets were pending before, counted outside the transaction: the answer says how many are left. */
  readonly pendingBefore?: number;
}

export interface WagerDecided {
  readonly wagerId: bigint;
  readonly settledCount: number;
  /** How many bets the worker still has to move. */
  readonly remainingCount: number;
}

const refuseVoids = ({
  outcome,
  voidMatchedAfter = null,
}: Pick<DecideWager, 'outcome' | 'voidMatchedAfter'>): Rejection | null =>
  voidMatchedAfter === null || isDecided(outcome)
    ? null
    : reject('malformed', 'void_matched_after must not be given with the outcome undecided');

export const needsOfDecideWager = (operation: DecideWager): Needs => needsOfDecision(operation.reference, operation);

const needsOfDecision = (
  reference: string,
  {
    outcome,
    voidMatchedAfter: voidFrom = null,
    bound,
    pendingBefore = 0,
  }: Pick<DecideWager, 'outcome' | 'voidMatchedAfter' | 'bound' | 'pendingBefore'>,
): Needs => ({
  ...NO_NEEDS,
  wagers: [{ reference }],
  // One more than the bound shows whether any bet is left.
  pendingBets: { wager: { reference }, outcome, voidFrom, limit: bound + 1, counted: pendingBefore },
});

export const decideWager = (book: Book, operation: DecideWager): OperationResult<WagerDecided> => {
  const { reference, outcome, voidMatchedAfter = null, reason = null, bound } = operation;
  const fault = refuseVoids(operation);
  if (fault !== null) return fault;
  const wager = book.wagerNamed(reference);
  if (wager === undefined) return reject('wager-not-found');
  if (isDecided(wager.outcome)) return reject('wager-decided');
  if (!isDecided(outcome))
    return { answer: { wagerId: wager.id, settledCount: 0, remainingCount: 0 }, commitment: null };

  // Point of no return: from here on there are only changes.
  return {
    answer: settleDecision(book, wager, { outcome, forcedBy: null, voidMatchedAfter, reason, bound }),
    commitment: null,
  };
};

/** How long a business may correct what it has decided, counted from the last bet that the decision settled. */
const CORRECTED_WITHIN = 10n * 60n * 1_000_000n;

/** An admin's decision of any wager, also of a decided one, for any outcome, also `undecided`. */
export interface ForceOutcome {
  readonly type: 'force_wager_outcome';
  readonly wagerReference: string;
  readonly outcome: Outcome;
  /** As of a decision. */
  readonly voidMatchedAfter?: Moment | null;
  readonly bound: number;
  readonly pendingBefore?: number;
  readonly action: AdminAction;
  /** The business itself corrects its decision: now, or as it asked for in time. */
  readonly ofBusiness?: 'now' | 'asked';
}

export const needsOfForceOutcome = (operation: ForceOutcome): Needs =>
  needsOfDecision(operation.wagerReference, operation);

export const forceOutcome = (book: Book, operation: ForceOutcome): OperationResult<WagerDecided> => {
  const { wagerReference, outcome, voidMatchedAfter = null, bound, action, ofBusiness } = operation;
  const fault = refuseVoids(operation);
  if (fault !== null) return fault;
  const wager = book.wagerNamed(wagerReference);
  if (wager === undefined) return reject('wager-not-found');
  if (ofBusiness !== undefined && !isCorrectable(book, wager, ofBusiness)) return reject('decision-final');

  // Point of no return: from here on there are only changes.
  const reason = ofBusiness === undefined ? null : action.description;
  return {
    answer: settleDecision(book, wager, { outcome, forcedBy: action, voidMatchedAfter, reason, bound }),
    commitment: null,
  };
};

/** The business has made the decision, and no admin has corrected it. Only a decision and its settlement change `updatedAt` of a decided wager. */
const isCorrectable = (book: Book, { outcome, forcedBy, updatedAt }: Wager, asked: 'now' | 'asked'): boolean =>
  isDecided(outcome) && forcedBy === null && (asked === 'asked' || book.now - updatedAt <= CORRECTED_WITHIN);

/** The worker's part of a decision: settles the next pending bets of the wager. */
export interface SettleChunk {
  readonly type: 'settle_chunk';
  readonly wagerId: bigint;
  readonly bound: number;
}

export interface ChunkSettled {
  readonly wagerId: bigint;
  readonly settledCount: number;
  /** Whether no pending bet of the wager is left. */
  readonly isComplete: boolean;
}

export const needsOfSettleChunk = ({ wagerId: id, bound }: SettleChunk): Needs => ({
  ...NO_NEEDS,
  wagers: [{ id }],
  pendingBets: { wager: { id }, outcome: null, voidFrom: null, limit: bound, counted: null },
});

export const settleChunk = (book: Book, { wagerId, bound }: SettleChunk): OperationResult<ChunkSettled> => {
  const wager = book.wagers.get(wagerId);
  if (wager === undefined) return reject('wager-not-found');

  // Point of no return: from here on there are only changes.
  // The Book holds `bound` pending bets of the wager, or all that were examined if there are fewer.
  const { settledCount, leftCount, lastAccepted } = movePending(book, wager, bound);
  const { examinedUpTo } = book.offersOf(wagerId);
  // They are the first ones by their ids, so none is left before the last one that moved. When all have moved, none is left
  // among the examined bets, and the mark moves there: a chunk in which nothing was pending makes progress too.
  const settledUpTo = (leftCount === 0 ? examinedUpTo : undefined) ?? lastAccepted?.id;
  if (settledUpTo !== undefined) changeWager(book, wager, { settledUpTo });
  const isComplete = settledCount < bound && examinedUpTo === undefined;
  if (isComplete && wager.settlingSince !== null) {
    markSettling(book, wager, false);
    noteSettled(book, wager);
    if (wager.forcedBy !== null) book.journal.addFollowUp({ kind: 'check-portfolios', wagerId: wager.id });
  }
  return { answer: { wagerId: wager.id, settledCount, isComplete }, commitment: null };
};

/**
 * Decides the wager, moves its first bets, and leaves the others to the worker. After a correction of the whole wager
 * the worker compares the users' balances, exposures and positions with the facts.
 */
const settleDecision = (
  book: Book,
  wager: Wager,
  {
    bound,
    voidMatchedAfter,
    reason,
    ...decision
  }: Pick<Wager, 'outcome' | 'forcedBy'> & Required<Pick<DecideWager, 'voidMatchedAfter' | 'reason' | 'bound'>>,
): WagerDecided => {
  const overtakesCorrection = wager.settlingSince !== null && wager.forcedBy !== null;
  const isAgain = isDecided(wager.outcome) || (wager.forcedBy !== null && decision.forcedBy !== null);
  const kind = isAgain || !isDecided(decision.outcome) ? 'wager.corrected' : 'wager.decided';
  book.journal.addEvent({ kind, wager, facts: { outcome: decision.outcome, voidMatchedAfter, reason } });
  setOutcome(book, wager, decision);
  // An operation of the same Book may have left bets to void that were not counted for this one.
  const wasVoiding = wager.voidFrom !== null;
  if (voidMatchedAfter !== null) addVoids(book, wager, voidMatchedAfter);
  const { settledCount, leftCount } = movePending(book, wager, bound);
  const { count, isEstimate } = book.unloadedPending(wager.id, { outcome: wager.outcome, voidFrom: voidMatchedAfter });
  // Where bets may be left, the worker looks for them: it may find none.
  const remainingCount = Math.max(leftCount + count, isEstimate || wasVoiding ? 1 : 0);
  markSettling(book, wager, remainingCount > 0);
  if (remainingCount > 0) book.journal.addFollowUp({ kind: 'settle-wager', wagerId: wager.id });
  else noteSettled(book, wager);
  // The end of a settlement looks for the correction of its wager, and the decision has just replaced that.
  if ((remainingCount === 0 && decision.forcedBy !== null) || (overtakesCorrection && decision.forcedBy === null))
    book.journal.addFollowUp({ kind: 'check-portfolios', wagerId: wager.id });
  return { wagerId: wager.id, settledCount, remainingCount };
};

/** The wager's outcome has reached all of its bets. */
const noteSettled = (book: Book, wager: Wager): void => {
  const { outcome } = wager;
  if (isDecided(outcome)) book.journal.addEvent({ kind: 'wager.settled', wager, facts: { outcome } });
};

/**
 * Moves the wager's first pending bets to the state that its outcome demands: offers expire or return, matched bets
 * settle, settle again, un-settle or are voided. A bet in that state does not move again, so chunks may repeat, overlap or be lost.
 * Offers come first, so that none stays open longer than needed.
 */
const movePending = (book: Book, wager: Wager, bound: number) => {
  const pending = [...book.offersOf(wager.id).bets].filter((bet) => isPending(bet, wager)).sort(settlesFirst);
  const settled = pending.slice(0, bound);
  for (const bet of settled) {
    // A cancel came before the decision, although the worker has not reached the offer.
    const cancel = book.cancelOf(bet);
    if (cancel !== undefined) endOffer(book, bet, { ...CANCELED, reason: cancel.reason });
    else followDecision(book, bet, { description: describe(textOf(bet, wager), wager.forcedBy) });
  }
  return {
    settledCount: settled.length,
    leftCount: pending.length - settled.length,
    lastAccepted: settled.findLast(({ offerStatus }) => offerStatus === 'accepted'),
  };
};

export const settlesFirst = (one: Bet, other: Bet): number => {
  if (isMatched(one) !== isMatched(other)) return isMatched(one) ? 1 : -1;
  return one.id < other.id ? -1 : 1;
};

const textOf = (bet: Bet, wager: Wager): string => {
  if (isVoidDue(bet, wager)) return 'Outcome overridden: void';
  const due = dueStateOf(bet, wager);
  if (!isMatched(bet)) return due.offerStatus === 'expired' ? 'Offer expired' : 'Offer open again';
  if (due.settledOutcome === null) return `Settlement undone: was ${bet.settledOutcome}`;
  const was = bet.settledOutcome === null ? '' : `, was ${bet.settledOutcome}`;
  return `Bet settled: ${due.settledOutcome}${was}`;
};
