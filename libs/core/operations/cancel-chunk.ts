import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { type Needs, needs } from '../needs.js';
import { offersInOrder } from '../offers-in-order.js';
import type { Bet } from '../records.js';
import { reject } from '../rejection.js';
import { takeStep } from '../step.js';

/** The worker's part of a cancel: cancels the next offers that the wager's first pending cancel names. */
export interface CancelChunk {
  readonly type: 'cancel_chunk';
  readonly wagerId: bigint;
  readonly bound: number;
}

export interface ChunkCanceled {
  readonly wagerId: bigint;
  readonly canceledCount: number;
  /** Whether the wager has no pending cancel left. */
  readonly isComplete: boolean;
}

export const needsOfCancelChunk = ({ wagerId: id }: CancelChunk): Needs => needs({ wagers: [{ id }] });

export const cancelChunk = (book: Book, { wagerId, bound }: CancelChunk): Decision<ChunkCanceled> => {
  const wager = book.wagers.get(wagerId);
  if (wager === undefined) return reject('wager-not-found');
  const [cancel, ...laterCancels] = wager.pendingCancels;
  if (cancel === undefined) return { answer: { wagerId, canceledCount: 0, isComplete: true }, commitment: null };
  const named: Bet[] = [];
  for (const bet of offersInOrder(book, { scope: { kind: 'namedBy', cancel }, wagers: [wager], maximumOdds: null })) {
    named.push(bet);
    if (named.length === bound) break;
  }

  // Point of no return: from here on there are only changes.
  for (const bet of named) takeStep(book, bet, { offerStatus: 'canceled' }, 'Offer canceled');
  if (named.length < bound) book.setPendingCancels(wager, laterCancels);
  const isComplete = wager.pendingCancels.length === 0;
  return { answer: { wagerId, canceledCount: named.length, isComplete }, commitment: null };
};
