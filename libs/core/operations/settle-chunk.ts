import type { AdminAction } from '../admin-action.js';
import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { type Needs, needs } from '../needs.js';
import { reject } from '../rejection.js';
import { type Settled, settlePending } from '../settle.js';

/** The worker's part of a decision: the next bets that are not yet where the wager's outcome says. */
export interface SettleChunk {
  readonly type: 'settle_chunk';
  readonly wagerId: bigint;
  readonly bound: number;
  /** The correction that left them; null: an ordinary decision. */
  readonly action: AdminAction | null;
}

export const needsOfSettleChunk = ({ wagerId, bound }: SettleChunk): Needs =>
  needs({ wagers: [{ id: wagerId }], pendingBets: { wager: { id: wagerId }, outcome: null, limit: bound } });

export const settleChunk = (book: Book, { wagerId, bound, action }: SettleChunk): Decision<Settled> => {
  const wager = book.wagers.get(wagerId);
  if (wager === undefined) return reject('wager-not-found');

  // Point of no return: from here on there are only changes.
  return { answer: settlePending(book, wager, { bound, action }), commitment: null };
};
