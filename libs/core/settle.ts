import { type AdminAction, describe } from './admin-action.js';
import { dueStateOf, isMatched, isPending } from './bet-state.js';
import type { Book } from './book.js';
import type { Bet, Wager } from './records.js';
import { restate } from './step.js';

export interface Settled {
  readonly wagerId: bigint;
  readonly settledCount: number;
  /** What a later chunk has to do. */
  readonly remainingCount: number;
}

/**
 * Moves the wager's first bets to where its outcome says they should be: offers expire or return, matched bets settle,
 * settle anew or un-settle. What is there already does not move, so chunks may repeat, overlap or be lost. Offers
 * first: nobody should find one open for longer than needed.
 */
export const settlePending = (
  book: Book,
  wager: Wager,
  { bound, action }: { bound: number; action: AdminAction | null },
): Settled => {
  const pending = [...book.offersOf(wager.id).bets].filter((bet) => isPending(bet, wager.outcome)).sort(settlesFirst);
  const settled = pending.slice(0, bound);
  for (const bet of settled) restate(book, bet, {}, describe(textOf(bet, wager), action));
  return {
    wagerId: wager.id,
    settledCount: settled.length,
    remainingCount: pending.length - settled.length + book.unloadedPending(wager.id, wager.outcome),
  };
};

export const settlesFirst = (one: Bet, other: Bet): number => {
  if (isMatched(one) !== isMatched(other)) return isMatched(one) ? 1 : -1;
  return one.id < other.id ? -1 : 1;
};

const textOf = (bet: Bet, wager: Wager): string => {
  const due = dueStateOf(bet, wager.outcome);
  if (!isMatched(bet)) return due.offerStatus === 'expired' ? 'Offer expired' : 'Offer open again';
  if (due.settledOutcome === null) return `Settlement undone: was ${bet.settledOutcome}`;
  const was = bet.settledOutcome === null ? '' : `, was ${bet.settledOutcome}`;
  return `Bet settled: ${due.settledOutcome}${was}`;
};
