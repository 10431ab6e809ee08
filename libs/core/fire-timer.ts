import type { Book } from './book.js';
import { leaveCancel } from './cancel-offer.js';
import { isDecided } from './impact.js';
import { type Needs, NO_NEEDS } from './needs.js';
import { offersInOrder } from './offers.js';
import type { Bet, PendingCancel, Wager } from './records.js';
import { type OperationResult, reject } from './rejection.js';
import { CANCELED, endOffer } from './step.js';

/** The worker's part of a timer that has fired: cancels the offers of its scope on one wager that were open when it fired. */
export interface FireTimer {
  readonly type: 'fire_timer';
  readonly wagerId: bigint;
  /** Null: of every user. */
  readonly userId: bigint | null;
  /** An id of a bet that was drawn when it fired: every later offer has a higher one. */
  readonly upTo: bigint;
  /** How many offers it cancels itself. Of a wager with more it cancels none: all of them are canceling. */
  readonly bound: number;
}

export interface TimerFired {
  readonly wagerId: bigint;
  readonly canceledCount: number;
}

/** With the position of a cancel. */
export const needsOfFireTimer = ({ wagerId: id }: FireTimer): Needs => ({ ...NO_NEEDS, wagers: [{ id }], newBets: 1 });

export const fireTimer = (book: Book, { wagerId, userId, upTo, bound }: FireTimer): OperationResult<TimerFired> => {
  const wager = book.wagers.get(wagerId);
  if (wager === undefined) return reject('wager-not-found');
  // Its decision expires its offers.
  if (isDecided(wager.outcome)) return { answer: { wagerId, canceledCount: 0 }, commitment: null };
  const cancel: PendingCancel = {
    position: book.nextBetId(),
    userId,
    minimumOdds: null,
    maximumOdds: null,
    onlyOnSuspend: false,
    reason: 'timer',
    upTo: { queuePlace: upTo, id: upTo },
  };
  const few = fewOffers(book, wager, { cancel, bound });

  // Point of no return: from here on there are only changes.
  if (few === null) {
    const isOwn = (earlier: PendingCancel) => earlier.reason === 'timer' && earlier.userId === userId;
    // A worker may come late, or again, with a firing that a pending one has overtaken: its offers are canceling already.
    const isOvertaken = wager.pendingCancels.some((earlier) => isOwn(earlier) && earlier.upTo.id >= upTo);
    // It takes what an earlier firing of the timer takes.
    if (!isOvertaken) leaveCancel(book, wager, cancel, isOwn);
  } else {
    for (const bet of few) endOffer(book, bet, { ...CANCELED, reason: 'timer' });
  }
  return { answer: { wagerId, canceledCount: few?.length ?? 0 }, commitment: null };
};

/** Null: more than the bound; or earlier cancels are to reach some of them first. */
const fewOffers = (
  book: Book,
  wager: Wager,
  { cancel, bound }: { readonly cancel: PendingCancel; readonly bound: number },
): readonly Bet[] | null => {
  if (wager.pendingCancels.length > 0) return null;
  const found: Bet[] = [];
  for (const bet of offersInOrder(book, { scope: { kind: 'canceling', cancel }, wagers: [wager], maximumOdds: null })) {
    if (found.length === bound) return null;
    found.push(bet);
  }
  return found;
};
