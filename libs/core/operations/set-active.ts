import type { Book } from '../book.js';
import type { Decision } from '../decision.js';
import { type Needs, needs } from '../needs.js';
import { type AdminAction, describe } from '../records.js';
import { reject } from '../rejection.js';
import { restate, takeStep } from '../step.js';

/** An inactive bet has no impact. When it is active again, its impact follows from its state at that time. */
export interface SetActive {
  readonly type: 'set_bet_active';
  readonly betId: bigint;
  readonly isActive: boolean;
  readonly action: AdminAction;
}

export const needsOfSetActive = ({ betId }: SetActive): Needs => needs({ betIds: [betId] });

export const setActive = (book: Book, { betId, isActive, action }: SetActive): Decision<{ betId: bigint }> => {
  const bet = book.bets.get(betId);
  if (bet === undefined) return reject('bet-not-found');
  if (bet.isActive === isActive) return reject(isActive ? 'bet-already-active' : 'bet-already-inactive');

  // Point of no return: from here on there are only changes.
  // An inactive offer is not among those that the worker cancels, so a named one is canceled here.
  if (book.isNamed(bet)) takeStep(book, bet, { offerStatus: 'canceled' }, 'Offer canceled');
  const description = describe(isActive ? 'Bet set active' : 'Bet set inactive', action);
  restate(book, bet, { isActive }, { description, correction: isActive ? 'bet.activated' : 'bet.deactivated' });
  return { answer: { betId }, commitment: null };
};
