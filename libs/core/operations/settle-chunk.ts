import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { type Needs, needs } from '../needs.js';
import { reject } from '../rejection.js';
import { type ChunkSettled, settleNext } from '../settle.js';

/** The worker's part of a decision: settles the next pending bets of the wager. */
export interface SettleChunk {
  readonly type: 'settle_chunk';
  readonly wagerId: bigint;
  readonly bound: number;
}

export const needsOfSettleChunk = ({ wagerId: id, bound }: SettleChunk): Needs =>
  needs({ wagers: [{ id }], pendingBets: { wager: { id }, outcome: null, limit: bound, counted: null } });

export const settleChunk = (book: Book, { wagerId, bound }: SettleChunk): Decision<ChunkSettled> => {
  const wager = book.wagers.get(wagerId);
  if (wager === undefined) return reject('wager-not-found');

  // Point of no return: from here on there are only changes.
  return { answer: settleNext(book, wager, bound), commitment: null };
};
