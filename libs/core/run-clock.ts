import type { Book } from './book.js';
import { isDecided } from './impact.js';
import { type Needs, NO_NEEDS } from './needs.js';
import { offersInOrder } from './offers.js';
import type { Bet } from './records.js';
import { type OperationResult, reject } from './rejection.js';
import { EXPIRED, endOffer } from './step.js';
import { endBetting, statusAt } from './wager-status.js';

/** The worker's part of time: closes the wager when its time has come, and expires the next offers whose time has. */
export interface RunClock {
  readonly type: 'run_clock';
  readonly wagerId: bigint;
  readonly bound: number;
}

export interface ClockRun {
  readonly wagerId: bigint;
  readonly expiredCount: number;
  /** Whether nothing of the wager is due. */
  readonly isComplete: boolean;
}

/** With the position of a cancel. */
export const needsOfRunClock = ({ wagerId: id }: RunClock): Needs => ({ ...NO_NEEDS, wagers: [{ id }], newBets: 1 });

export const runClock = (book: Book, { wagerId, bound }: RunClock): OperationResult<ClockRun> => {
  const wager = book.wagers.get(wagerId);
  if (wager === undefined) return reject('wager-not-found');
  // Its decision expires its offers.
  if (isDecided(wager.outcome)) return { answer: { wagerId, expiredCount: 0, isComplete: true }, commitment: null };
  const due: Bet[] = [];
  if (wager.hasExpiring) {
    const scope = { kind: 'due', now: book.now } as const;
    for (const bet of offersInOrder(book, { scope, wagers: [wager], maximumOdds: null })) {
      due.push(bet);
      if (due.length === bound) break;
    }
  }

  // Point of no return: from here on there are only changes.
  for (const bet of due) endOffer(book, bet, { ...EXPIRED, reason: 'time' });
  if (wager.status !== 'closed' && statusAt(wager, book.now) === 'closed') {
    endBetting(book, wager, null);
  }
  return { answer: { wagerId, expiredCount: due.length, isComplete: due.length < bound }, commitment: null };
};
