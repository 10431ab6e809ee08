import type { OperationOf } from '#core/operation.js';
import { change, type Decided, type Draft } from './draft.js';
import { type BetFacts, type Facts, type PendingCancelFacts, wagerOf } from './facts.js';
import { statusOf } from './picture.js';
import { notFound } from './refusals.js';

/* Cancels that one transaction does not finish. The offers that they name can no longer be accepted. */

export const isOpen = (bet: BetFacts): boolean => bet.isActive && statusOf(bet) === 'requesting';

const isCanceledBy = ({ betIds }: PendingCancelFacts, bet: BetFacts): boolean => isOpen(bet) && betIds.has(bet.id);

export const isCanceling = (facts: Facts, bet: BetFacts): boolean =>
  wagerOf(facts, bet).pendingCancels.some((cancel) => isCanceledBy(cancel, bet));

export const cancelChunk = (draft: Draft, { wagerId, bound }: OperationOf<'cancel_chunk'>): Decided => {
  const wager = draft.facts.wagers.find(({ id }) => id === wagerId);
  if (wager === undefined) return notFound('Wager');
  const [first, ...others] = wager.pendingCancels;
  if (first === undefined) return { answer: { wagerId, canceledCount: 0, isComplete: true } };
  const canceling = draft.facts.bets.filter((bet) => bet.wagerId === wagerId && isCanceledBy(first, bet));
  const next = canceling
    .sort((one, other) => Number(one.queuePlace - other.queuePlace) || Number(one.id - other.id))
    .slice(0, bound);
  for (const bet of next) change(draft, bet, { isCanceled: true });
  if (next.length < bound) wager.pendingCancels = others;
  const isComplete = wager.pendingCancels.length === 0;
  return { answer: { wagerId, canceledCount: next.length, isComplete } };
};
